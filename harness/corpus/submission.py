"""A full EDGAR submission split into its documents: the form itself, its exhibits, and what was attached.

A submission is a text file of SGML-like headers: ``<DOCUMENT>``, ``<TYPE>``, ``<SEQUENCE>``, ``<FILENAME>``,
``<DESCRIPTION>``, then ``<TEXT>`` around a document that is HTML, plain text in pages, or an encoded file.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field

from harness.corpus.contract import decode
from harness.corpus.filing import pieces
from harness.corpus.markup import blocks

DOCUMENT = re.compile(r"<DOCUMENT>(.*?)(?:</DOCUMENT>|(?=<DOCUMENT>)|\Z)", re.DOTALL)
TEXT = re.compile(r"<TEXT>\n?(.*?)(?:</TEXT>|\Z)", re.DOTALL)
WRAPPER = re.compile(r"^\s*</?(?:XBRL|XML|PDF)>\s*$", re.MULTILINE | re.IGNORECASE)
MARKUP = re.compile(r"<(?:!doctype|html|body|div|font|table|p)\b", re.IGNORECASE)
ENCODED = re.compile(r"^begin \d{3} \S+", re.MULTILINE)
TAG = re.compile(r"</?(?:PAGE|TABLE|CAPTION|S|C|FN|F\d+)>", re.IGNORECASE)
NO_TEXT = ("GRAPHIC", "ZIP", "EXCEL", "XML", "EX-101", "COVER", "JSON")


@dataclass(frozen=True)
class Part:
    """One document of a submission. ``text`` is its clean text, "" for what is no text (images, XBRL, archives)."""

    type: str
    sequence: int | None
    filename: str
    description: str
    text: str = field(repr=False)


def split(raw: bytes) -> tuple[Part, ...]:
    """The documents of one submission in its order; () for bytes that hold none."""
    return tuple(_part(match[1]) for match in DOCUMENT.finditer(decode(raw)))


def submissions(archive: bytes) -> Iterator[tuple[str, tuple[Part, ...]]]:
    """(name of the file, its documents) for every file of a zip archive that holds documents, by name."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in sorted(opened.namelist()):
            if not name.endswith("/") and (parts := split(opened.read(name))):
                yield name, parts


def _part(body: str) -> Part:
    head, _, _ = body.partition("<TEXT>")
    kind = _value(head, "TYPE")
    sequence = _value(head, "SEQUENCE")
    inner = TEXT.search(body)
    return Part(
        type=kind,
        sequence=int(sequence) if sequence.isdigit() else None,
        filename=_value(head, "FILENAME"),
        description=_value(head, "DESCRIPTION"),
        text="" if inner is None or kind.startswith(NO_TEXT) else clean(inner[1]),
    )


def _value(head: str, tag: str) -> str:
    found = re.search(rf"^<{tag}>([^\n<]*)", head, re.MULTILINE)
    return found[1].strip() if found else ""


def clean(text: str) -> str:
    """The text of one document: HTML as its blocks, plain text without its layout tags; "" for an encoded file."""
    text = WRAPPER.sub("", text)
    if ENCODED.search(text[:2000]):
        return ""
    if MARKUP.search(text[:20_000]):
        page = [block for block in blocks(text) if not block.page_break]
        return "\n\n".join(piece.text for piece in pieces(page)) + "\n"
    lines = [line.rstrip() for line in TAG.sub("", text).split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"
