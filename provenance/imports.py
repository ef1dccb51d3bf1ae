"""Which files of the repository a module imports, read from its source: nothing is executed."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

PACKAGES = ("harness", "provenance", "checks", "render")


def closure(root: Path, start: Iterable[str]) -> frozenset[str]:
    """The paths under ``root`` of the modules ``start`` (paths too) and of everything they import, directly or not.

    Imports inside functions count; imports under ``if TYPE_CHECKING:`` do not, because they never run. The
    ``__init__.py`` of every package on the way counts, as Python executes it.
    """
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting.extend(_imported(root, path))
    return frozenset(found)


def _imported(root: Path, path: str) -> frozenset[str]:
    try:
        source = (root / path).read_bytes()
    except OSError:
        return frozenset()
    return frozenset(file for module in _modules(source, path) for file in _files(root, module))


@lru_cache(maxsize=2048)
def _modules(source: bytes, path: str) -> frozenset[str]:
    """The dotted names that a source may import; ``from a import b`` names both ``a`` and ``a.b``."""
    return frozenset(_named(ast.parse(source, filename=path), Path(path).parent.parts))


def _named(node: ast.AST, package: tuple[str, ...]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        above = package[: len(package) - node.level + 1] if node.level else ()
        base = ".".join([*above, *([node.module] if node.module else [])])
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names)
    for child in _running(node):
        yield from _named(child, package)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that Python can execute."""
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
        yield from node.orelse
    else:
        yield from ast.iter_child_nodes(node)


def _files(root: Path, module: str) -> Iterator[str]:
    """The file of a first-party module and the ``__init__.py`` of each package above it."""
    parts = module.split(".")
    if parts[0] not in PACKAGES:
        return
    for length in range(1, len(parts) + 1):
        place = "/".join(parts[:length])
        for path in (f"{place}/__init__.py", f"{place}.py"):
            if (root / path).is_file():
                yield path
