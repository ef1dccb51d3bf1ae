"""A small corpus of our own, for canary runs and tests: twelve memos of four imaginary working groups.

The texts are made here, laid out like RFCs (form feeds, running headers, page footers, numbered sections; two
memos without pages, one that obsoletes another) and then go through the real parser, chunker and embedder, so
that a change in any of them shows. Each section states its own facts and is padded with sentences that many
memos share: without shared words a search could not go wrong.
"""

from __future__ import annotations

import hashlib
import textwrap
from dataclasses import dataclass
from pathlib import Path

from harness.capture.canary_texts import GROUPS, MEMOS, QUESTIONS, Memo
from harness.chunking import fixed
from harness.chunking.fixed import Window
from harness.corpus import rfc
from harness.corpus.fetch.place import document_path
from harness.corpus.load import assemble
from harness.corpus.manifest import Entry
from harness.corpus.model import Corpus, Query
from harness.embedding import cache as embedding_cache
from harness.embedding import model as embedding_model
from harness.paths import cache_dir
from provenance.codehash import file_digest

NAME = "canary"
LICENCE = "MIT (made for Zeroth)"
WINDOW = Window(size=48, overlap=8)
PAGE_LINES = 24
WIDTH = 72

# Sentences that could stand in any memo: {p} protocol, {a} and {b} its two sides, {u} what they exchange.
SHARED = (
    "A {a} that cannot honour this rule MUST close the exchange and report the reason to the {b}.",
    "Implementations SHOULD log each {u} that was refused, together with the time of arrival.",
    "The {b} keeps no state for a {u} once the {a} has acknowledged it.",
    "When both sides disagree, the value proposed by the {b} takes precedence.",
    "Earlier drafts of {p} left this open, and two implementations chose differently.",
    "A {u} of unknown type is ignored; it is not an error.",
    "Operators can lower the limit, but a {a} MUST NOT assume that they did.",
    "This section does not apply to a {a} that runs in passive mode.",
    "Retrying too eagerly hurts every other {a} that shares the same {b}.",
    "The order in which a {b} answers is not specified.",
    "Measurements on a small network informed the default, which is known to be conservative.",
)


@dataclass(frozen=True)
class RawMemo:
    """A generated memo: the entry that a manifest would hold, and its bytes."""

    entry: Entry
    raw: bytes


def raw_memos() -> list[RawMemo]:
    """All memos as bytes, in id order; the same bytes on every machine."""
    return [_raw(memo, offset) for offset, memo in enumerate(MEMOS)]


def questions() -> list[Query]:
    """The golden questions of the small corpus; the last two have no answer in it."""
    return [
        Query(
            id=f"canary-{number:02d}",
            text=question.text,
            tenant=_tenant(question.doc) if question.doc else None,
            category=question.category,
            doc=question.doc,
            section=question.section,
            answer=question.answer,
            evidence=question.evidence,
            drafted_by="the authors of Zeroth",
        )
        for number, question in enumerate(QUESTIONS, start=1)
    ]


def canary_corpus(window: Window = WINDOW) -> Corpus:
    """The small corpus, parsed, chunked and (on demand) embedded by the code of today.

    The cache is one of its own under the digest of exactly that code: vectors that other code made are never
    met.
    """
    memos = raw_memos()
    folder = cache_dir() / NAME / _stage_digest()
    for memo in memos:
        _put(document_path(folder, memo.entry.sha256), memo.raw)
    return assemble(NAME, [memo.entry for memo in memos], questions(), folder, window)


def _stage_digest() -> str:
    modules = (rfc, fixed, embedding_cache, embedding_model)
    code = "".join(file_digest(Path(module.__file__ or "")) for module in modules)
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def _put(path: Path, raw: bytes) -> None:
    if not path.exists() or path.read_bytes() != raw:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)


def _tenant(doc: str) -> str:
    return next(memo.tenant for memo in MEMOS if memo.id == doc)


def _raw(memo: Memo, offset: int) -> RawMemo:
    lines = _lines(memo, offset)
    text = _paged(memo, lines) if memo.paged else "\n".join(lines) + "\n"
    raw = text.encode("utf-8")
    pages = text.count("\f") + 1 if memo.paged else None
    entry = Entry(
        id=memo.id,
        source="rfc",
        title=memo.title,
        url=f"https://example.org/memo/{memo.id}.txt",
        sha256=hashlib.sha256(raw).hexdigest(),
        bytes=len(raw),
        pages=pages,
        tenant=memo.tenant,
        tenant_name=GROUPS[memo.tenant].name,
        licence=LICENCE,
        obsoletes=memo.obsoletes,
        obsoleted_by=tuple(other.id for other in MEMOS if memo.id in other.obsoletes),
    )
    return RawMemo(entry, raw)


def _lines(memo: Memo, offset: int) -> list[str]:
    """The memo's lines before paging: title block, abstract, numbered sections, one appendix."""
    group = GROUPS[memo.tenant]
    lines = [f"{group.name} Working Group", f"Request for Comments: {memo.number}"]
    if memo.obsoletes:
        lines.append("Obsoletes: " + ", ".join(item.removeprefix("rfc") for item in memo.obsoletes))
    lines += ["", memo.title.center(WIDTH).rstrip(), "", "Abstract", ""]
    lines += _paragraph(memo.abstract)
    for number, section in enumerate(memo.sections, start=1):
        filler = [SHARED[(offset * 3 + number * 2 + step) % len(SHARED)] for step in range(2)]
        words = {"p": memo.protocol, "a": group.asker, "b": group.answerer, "u": group.unit}
        lines += [f"{number}.  {section.heading}", ""]
        lines += _paragraph(f"{section.facts[0]} {filler[0].format(**words)}")
        if len(section.facts) > 1:
            lines += [f"{number}.1.  {section.detail}", ""]
            lines += _paragraph(f"{filler[1].format(**words)} {' '.join(section.facts[1:])}")
    lines += ["Appendix A.  Acknowledgements", ""]
    lines += _paragraph(f"The {group.name} group thanks everybody who ran {memo.protocol} before it was finished.")
    return lines


def _paragraph(text: str) -> list[str]:
    return [*textwrap.wrap(text, WIDTH, initial_indent="   ", subsequent_indent="   "), ""]


def _paged(memo: Memo, lines: list[str]) -> str:
    """Lines cut into pages with a running header from the second page on and a footer on each."""
    pages = [lines[start : start + PAGE_LINES] for start in range(0, len(lines), PAGE_LINES)]
    shown = []
    for number, page in enumerate(pages, start=1):
        running = f"RFC {memo.number}".ljust(20) + memo.protocol.ljust(40) + memo.date
        header = [running, ""] if number > 1 else []
        footer = ["", GROUPS[memo.tenant].name.ljust(WIDTH - 10) + f"[Page {number}]"]
        shown.append("\n".join([*header, *page, *footer]))
    return "\n\f\n".join(shown) + "\n"
