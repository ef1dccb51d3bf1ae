"""The corpus manifest: which documents, from where, with which checksum, for which tenant. Never the documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import HarnessError


@dataclass(frozen=True)
class Entry:
    """One document of the manifest. ``pages`` is the publisher's own count, None when not stated."""

    id: str
    source: str
    title: str
    url: str
    sha256: str
    bytes: int
    pages: int | None
    tenant: str
    tenant_name: str
    licence: str
    obsoletes: tuple[str, ...]
    obsoleted_by: tuple[str, ...]
    original_tenant: str = ""
    """The tenant it came with, before small tenants were folded; the same as ``tenant`` where nothing was."""
    original_tenant_name: str = ""


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _names(value: Any) -> bool:
    return isinstance(value, list) and all(_text(item) for item in value)


def _count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


SOURCES = ("rfc", "contract", "filing", "submission")
"""Families of documents. A submission is an archive of whole filings, kept for deduplication, not for search."""

FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "id": (
        lambda v: _text(v) and re.fullmatch(r"[a-z0-9][a-z0-9-]*", v) is not None,
        "a lower-case id (rfc8446)",
    ),
    "source": (lambda v: v in SOURCES, f"the document family, one of {', '.join(SOURCES)}"),
    "title": (_text, "the document's title"),
    "url": (lambda v: _text(v) and v.startswith("https://"), "the document's public https URL"),
    "sha256": (lambda v: isinstance(v, str) and re.fullmatch(r"[0-9a-f]{64}", v) is not None, "64 hexadecimal digits"),
    "bytes": (lambda v: _count(v), "the file's length in bytes"),
    "pages": (lambda v: v is None or _count(v), "the publisher's page count, or null"),
    "tenant": (lambda v: _text(v) and re.fullmatch(r"[a-z0-9][a-z0-9-]*", v) is not None, "a tenant id such as tls"),
    "tenant_name": (_text, "the tenant's full name"),
    "licence": (_text, "the licence or terms of the document"),
    "obsoletes": (_names, "a list of document ids"),
    "obsoleted_by": (_names, "a list of document ids"),
}
OPTIONAL: dict[str, tuple[Callable[[Any], bool], str]] = {
    "original_tenant": FIELDS["tenant"],
    "original_tenant_name": FIELDS["tenant_name"],
}


def read_manifest(path: Path) -> list[Entry]:
    """The entries of ``path`` in id order. HarnessError lists every missing or wrong field with its path."""
    try:
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise HarnessError(f"{path}: no manifest here; restore it with: git checkout -- {path}") from error
    except json.JSONDecodeError as error:
        raise HarnessError(f"{path}:{error.lineno}:{error.colno}: not JSON: {error.msg}") from error
    except UnicodeDecodeError as error:
        raise HarnessError(
            f"{path}: not UTF-8 at byte {error.start}; restore it with: git checkout -- {path}"
        ) from error
    documents = data.get("documents") if isinstance(data, dict) else None
    if not isinstance(documents, list) or not documents:
        raise HarnessError(f"{path}: documents: expected a non-empty list of documents")
    wrong = [line for index, document in enumerate(documents) for line in _faults(index, document)]
    ids = [document.get("id") for document in documents if isinstance(document, dict)]
    wrong += [f"documents[{i}].id: {name!r} stands twice" for i, name in enumerate(ids) if name in ids[:i]]
    if wrong:
        raise HarnessError("\n".join(f"{path}: {line}" for line in wrong))
    return sorted((entry_of(document) for document in documents), key=lambda entry: entry.id)


def _faults(index: int, document: Any) -> list[str]:
    if not isinstance(document, dict):
        return [f"documents[{index}]: expected an object, found {type(document).__name__}"]
    name = document.get("id", "no id")
    wanted = FIELDS | {field: rule for field, rule in OPTIONAL.items() if field in document}
    return [
        f"documents[{index}] ({name}).{field}: expected {expectation}, found "
        + (repr(document[field]) if field in document else "nothing")
        for field, (holds, expectation) in wanted.items()
        if field not in document or not holds(document[field])
    ]


def entry_of(document: dict[str, Any]) -> Entry:
    """The entry of one document of a manifest whose fields are known to be right."""
    values = {field: document[field] for field in FIELDS}
    values["obsoletes"] = tuple(values["obsoletes"])
    values["obsoleted_by"] = tuple(values["obsoleted_by"])
    values["original_tenant"] = document.get("original_tenant", document["tenant"])
    values["original_tenant_name"] = document.get("original_tenant_name", document["tenant_name"])
    return Entry(**values)
