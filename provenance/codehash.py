"""A digest of what a Python file *does*: comments, docstrings, formatting and positions do not enter it.

The digest is taken over our own serialisation of the syntax tree, not over ``ast.dump``, whose output differs
between Python versions. Fields that only some versions have are empty for code that all versions accept, and
empty fields are left out; so one file has one digest under Python 3.11 to 3.14.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

# Part of every digest: a change of the serialisation must not pass for a change of code unnoticed.
_SCHEME = b"zeroth/code/1\n"
_SKIPPED_FIELDS = frozenset({"ctx", "type_comment", "type_ignores", "kind"})


def code_digest(source: bytes, filename: str = "<code>") -> str:
    """The digest of Python source, 64 hexadecimal digits.

    Bare string statements (docstrings, attribute documentation) and ``pass`` do not count. Raises SyntaxError
    for source that does not parse.
    """
    return _digest(source, filename)


def file_digest(path: Path) -> str:
    """The code digest of a ``.py`` file; for any other file the SHA-256 of its bytes. Raises OSError when
    unreadable."""
    data = path.read_bytes()
    if path.suffix == ".py":
        return code_digest(data, str(path))
    return hashlib.sha256(data).hexdigest()


def digest_today(path: Path) -> str | None:
    """The code digest of a file as it is now; None when it is gone, a phrase when it does not parse."""
    try:
        return file_digest(path)
    except OSError:
        return None
    except (SyntaxError, ValueError):
        return "does not parse"


@lru_cache(maxsize=1024)
def _digest(source: bytes, filename: str) -> str:
    tree = ast.parse(source, filename=filename)
    digest = hashlib.sha256(_SCHEME)
    for token in _node(tree):
        digest.update(token.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _node(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield f"({type(node.value).__name__} {node.value!r})"
        return
    yield f"({type(node).__name__}"
    for name in sorted(node._fields):
        value = getattr(node, name, None)
        if name in _SKIPPED_FIELDS or value is None:
            continue
        items = _items(node, name, value) if isinstance(value, list) else value
        if items == []:
            continue
        yield f" {name}="
        yield from _value(items)
    yield ")"


def _value(value: object) -> Iterator[str]:
    if isinstance(value, ast.AST):
        yield from _node(value)
    elif isinstance(value, list):
        yield "["
        for item in value:
            yield from _value(item)
            yield ","
        yield "]"
    else:
        yield repr(value)


def _items(node: ast.AST, name: str, items: list[object]) -> list[object]:
    if name in ("body", "orelse", "finalbody"):
        return [item for item in items if not _says_nothing(item)]
    if isinstance(node, ast.JoinedStr):
        return _merged(items)
    return items


def _says_nothing(statement: object) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _merged(parts: list[object]) -> list[object]:
    """Parts of an f-string with neighbouring literals joined: parsers cut them at different places."""
    merged: list[object] = []
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            last = merged[-1] if merged else None
            if isinstance(last, ast.Constant):
                merged[-1] = ast.Constant(str(last.value) + part.value)
            elif part.value:
                merged.append(part)
        else:
            merged.append(part)
    return merged
