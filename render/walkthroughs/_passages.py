"""Passages of a dataset by name, as walkthroughs print them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from render.views.kit import excerpt

LONGEST = 44


def places(*rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Chunk id → "RFC 8446, 4.2.8 Key Share", for rows with ``id``, ``doc`` and ``section``.

    Chunks of one section are told apart by their number.
    """
    found = {row["id"]: _place(row) for group in rows for row in group}
    seen = list(found.values())
    return {id: f"{text} ({chunk_number(id)})" if seen.count(text) > 1 else text for id, text in found.items()}


def document(doc: str) -> str:
    """``rfc8446`` as it is cited: "RFC 8446"."""
    match = re.fullmatch(r"rfc(\d+)", doc)
    return f"RFC {match[1]}" if match else doc


def chunk_number(id: str) -> str:
    """``rfc8446:0012`` → "chunk 12"."""
    return f"chunk {int(id.rpartition(':')[2])}"


def bare(id: str) -> str:
    """A chunk that is only named: ``rfc8446:0012`` → "RFC 8446, chunk 12"."""
    return f"{document(id.partition(':')[0])}, {chunk_number(id)}"


def quoted(passage: Mapping[str, Any], role: str = "") -> Markup:
    """The passage's captured excerpt with title, place and licence."""
    where = ", ".join(part for part in (passage["section"], _page(passage)) if part)
    return excerpt(
        passage["excerpt"],
        title=passage["title"],
        url=passage["url"],
        licence=passage["licence"],
        place=where,
        role=role,
    )


def _place(row: Mapping[str, Any]) -> str:
    section = str(row["section"])
    if len(section) > LONGEST:
        section = section[: LONGEST - 1].rsplit(" ", 1)[0] + "…"
    return f"{document(row['doc'])}, {section or 'before the first heading'}"


def _page(passage: Mapping[str, Any]) -> str:
    return f"page {passage['page']}" if passage.get("page") else ""
