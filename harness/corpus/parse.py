"""A document of any family from its bytes: one parser a source, one result."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from harness.corpus import clauses, contract, filing, items, markup, parsed, rfc, table_text
from harness.corpus.manifest import Entry
from harness.corpus.model import Document
from harness.errors import HarnessError
from provenance.codehash import file_digest

PARSERS: dict[str, ModuleType] = {"rfc": rfc, "contract": contract, "filing": filing}
"""Source of a manifest entry → the module whose ``parse(raw)`` reads it. Other sources are not split into passages."""

CODE: dict[str, tuple[ModuleType, ...]] = {
    "rfc": (rfc, parsed),
    "contract": (contract, clauses, parsed),
    "filing": (filing, items, markup, table_text, parsed),
}
"""Source → the modules that its parser is made of."""


def parser_code(source: str) -> str:
    """Digest of the parser's code: what is kept of a document is made again when its parser changes."""
    return "".join(file_digest(Path(module.__file__ or "")) for module in CODE[source])


def parse_document(entry: Entry, raw: bytes) -> Document:
    """The document of ``entry`` from its bytes. HarnessError for a source that is not split into passages."""
    if entry.source not in PARSERS:
        raise HarnessError(f"{entry.id}: no parser for the source {entry.source!r}")
    found = PARSERS[entry.source].parse(raw)
    return document_of(entry, found.text, found.page_starts, found.sections, found.tables)


def document_of(
    entry: Entry,
    text: str,
    page_starts: tuple[tuple[int, int, str | None], ...],
    sections: tuple[tuple[int, str, str], ...],
    tables: tuple[tuple[int, int, int], ...],
) -> Document:
    """The document of ``entry`` with what a parser found in it."""
    return Document(
        id=entry.id,
        title=entry.title,
        url=entry.url,
        sha256=entry.sha256,
        tenant=entry.tenant,
        tenant_name=entry.tenant_name,
        licence=entry.licence,
        pages=len(page_starts) or None,
        text=text,
        page_starts=page_starts,
        sections=sections,
        tables=tables,
    )
