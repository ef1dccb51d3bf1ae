"""What is compared: the documents of the corpus, and every text of the archive of full submissions."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.capture.api import Run
from harness.corpus.contract import decode
from harness.corpus.fetch.place import document_path
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.submission import clean, split
from harness.errors import HarnessError
from harness.paths import FULL_MANIFEST, cache_dir

FORM, EXHIBIT = "form", "exhibit"
FAMILIES = ("rfc", "contract", "filing", FORM, EXHIBIT)


@dataclass(frozen=True)
class Item:
    """One text. ``group``: its tenant before folding, or the issuer of a submission; inside it texts may be related."""

    id: str
    family: str
    group: str
    title: str
    url: str
    licence: str
    text: str = field(repr=False)
    sha256: str = ""
    """Of the file, where the text has one to itself."""

    @property
    def source(self) -> dict[str, str]:
        """What an excerpt has to say of where it comes from."""
        return {"doc": self.id, "title": self.title, "url": self.url, "licence": self.licence}


@dataclass(frozen=True)
class Sources:
    """The items in order; exhibit id → the text of the whole file it was filed in; (superseded, successor) ids."""

    items: list[Item]
    filed_in: dict[str, str]
    supersedes: list[tuple[str, str]]
    submissions: int


def sources(run: Run) -> Sources:
    """Everything that this run compares. HarnessError when the archive was not acquired."""
    entries = _small_entries() if run.canary else read_manifest(FULL_MANIFEST)
    named = {entry.id: entry for entry in entries}
    items = [
        Item(
            d.id,
            named[d.id].source,
            named[d.id].original_tenant or d.tenant,
            d.title,
            d.url,
            d.licence,
            d.text,
            d.sha256,
        )
        for d in sorted(run.corpus.documents.values(), key=lambda d: d.id)
    ]
    archive = _small_archive(items) if run.canary else _archive(run, named["edgar-8k-submissions"])
    parts, filed_in, count = _parts(archive, named.get("edgar-8k-submissions", entries[0]))
    known = {item.id for item in items}
    pairs = [(old, entry.id) for entry in entries for old in entry.obsoletes if {old, entry.id} <= known]
    return Sources([*items, *parts], filed_in, sorted(pairs), count)


def _archive(run: Run, entry: Entry) -> bytes:
    path = document_path(cache_dir(), entry.sha256)
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise HarnessError(f"{entry.id}: not acquired; run: python -m harness acquire") from error
    if hashlib.sha256(raw).hexdigest() != entry.sha256:
        raise HarnessError(f"{entry.id}: {path} was altered; run: python -m harness acquire")
    run.record_input(
        entry.title, entry.url, sha256=entry.sha256, bytes=entry.bytes, records=1,
        licence=entry.licence, available="external",
    )  # fmt: skip
    return raw


def _parts(archive: bytes, entry: Entry) -> tuple[list[Item], dict[str, str], int]:
    """The texts of every file of the archive, the whole file beside each exhibit, and the number of files."""
    found: list[Item] = []
    filed_in: dict[str, str] = {}
    count = 0
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in sorted(opened.namelist()):
            raw = b"" if name.endswith("/") else opened.read(name)
            parts = split(raw)
            count += bool(parts)
            issuer, _, _, accession = name.rpartition("/")[2].rpartition(".")[0].split("_") if parts else [""] * 4
            for number, part in enumerate(parts, start=1):
                if not part.text:
                    continue
                form = number == 1
                id = f"8k-{accession}-{number}"
                title = f"{part.type or 'part'} of the submission {accession}"
                found.append(
                    Item(id, FORM if form else EXHIBIT, issuer, title, entry.url, entry.licence, part.text)
                )  # fmt: skip
                if not form:
                    filed_in[id] = clean(decode(raw))
    return found, filed_in, count


def _small_entries() -> list[Entry]:
    from harness.capture.canary_corpus import raw_memos

    return [memo.entry for memo in raw_memos()]


def _small_archive(items: Sequence[Item]) -> bytes:
    """Three submissions made of memos: a form with two exhibits, the same exhibits filed again, and a form alone."""
    made = io.BytesIO()
    texts = [item.text for item in items]
    exhibits = [("EX-99.1", texts[1]), ("EX-10.1", texts[2])]
    files = {"0000000001-99-000001": [("8-K", texts[0]), *exhibits],
             "0000000001-99-000002": [("8-K", texts[3]), *exhibits],
             "0000000002-99-000001": [("8-K", texts[4])]}  # fmt: skip
    with zipfile.ZipFile(made, "w") as archive:
        for accession, parts in files.items():
            body = "".join(
                f"<DOCUMENT>\n<TYPE>{kind}\n<SEQUENCE>{n}\n<TEXT>\n{text}</TEXT>\n</DOCUMENT>\n"
                for n, (kind, text) in enumerate(parts, start=1)
            )
            archive.writestr(f"8-K/{int(accession[:10])}_8K_1999_{accession}.txt", body)
    return made.getvalue()
