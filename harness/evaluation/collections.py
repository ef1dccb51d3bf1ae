"""Public test collections: documents, queries and human judgments, read from the layout they are published
in.

Two layouts are read. **BEIR** (Thakur et al. 2021): ``corpus.jsonl``, ``queries.jsonl``,
``qrels/<split>.tsv`` with a header line. **SMART**, as Cranfield is: ``cran.all.1400``, ``cran.qry``,
``cranqrel``.

Two traps of Cranfield are settled here. The judgments number the queries 1…225 *by position*, while the query
file carries other numbers (1, 2, 4, 8 …): position counts. And its codes run backwards, 1 best to 4 least, −1
not relevant: they become grades 4 to 1, and 0.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from harness.errors import HarnessError


class CollectionError(HarnessError):
    """A collection that cannot be read; the message names file, line and what was expected."""


@dataclass(frozen=True)
class Collection:
    """``documents``: id → title and text as one string. ``judgments``: query → document → grade (≥ 0)."""

    name: str
    documents: dict[str, str] = field(repr=False)
    queries: dict[str, str] = field(repr=False)
    judgments: dict[str, dict[str, int]] = field(repr=False)

    @property
    def judged_queries(self) -> dict[str, str]:
        """The queries that have judgments, in the collection's order."""
        return {id: text for id, text in self.queries.items() if id in self.judgments}


def read(folder: Path, split: str = "test") -> Collection:
    """Reads ``folder`` in whichever layout it has; ``split`` chooses the BEIR judgments file."""
    if (folder / "corpus.jsonl").is_file():
        return read_beir(folder, split)
    if (folder / "cranqrel").is_file():
        return read_cranfield(folder)
    raise CollectionError(
        f"{folder}: neither corpus.jsonl (BEIR layout) nor cranqrel (SMART layout) found; "
        "give the folder that holds one of them"
    )


def read_beir(folder: Path, split: str = "test") -> Collection:
    """A BEIR folder. A document's text is its title, a space, and its text."""
    documents = {
        record["_id"]: f"{record.get('title', '')} {record['text']}".strip()
        for record in _jsonl(folder / "corpus.jsonl")
    }
    queries = {record["_id"]: record["text"] for record in _jsonl(folder / "queries.jsonl")}
    judgments: dict[str, dict[str, int]] = {}
    qrels = folder / "qrels" / f"{split}.tsv"
    if not qrels.is_file():
        raise CollectionError(f"{qrels}: not found; choose a split with a file in {qrels.parent}")
    with qrels.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            try:
                query, document, grade = row["query-id"], row["corpus-id"], int(row["score"])
            except (KeyError, TypeError, ValueError) as error:
                raise CollectionError(
                    f"{qrels}: {row} is no judgment; expected the columns query-id, corpus-id, score"
                ) from error
            judgments.setdefault(query, {})[document] = max(grade, 0)
    return Collection(folder.name, documents, queries, judgments)


def read_cranfield(folder: Path) -> Collection:
    """The Cranfield folder; see the module's note on query numbers and grades."""
    documents = {
        id: f"{fields.get('T', '')} {fields.get('W', '')}".strip() for id, fields in _smart(folder / "cran.all.1400")
    }
    queries = {
        str(position): fields.get("W", "").strip()
        for position, (_, fields) in enumerate(_smart(folder / "cran.qry"), start=1)
    }
    judgments: dict[str, dict[str, int]] = {}
    path = folder / "cranqrel"
    for number, line in enumerate(path.read_text(encoding="latin-1").splitlines(), start=1):
        cells = line.split()
        if not cells:
            continue
        if len(cells) != 3 or not re.fullmatch(r"-1|[1-4]", cells[2]):
            raise CollectionError(f"{path}:{number}: {line!r}; expected query, document, code (-1 or 1 to 4)")
        code = int(cells[2])
        judgments.setdefault(cells[0], {})[cells[1]] = 0 if code < 0 else 5 - code
    return Collection(folder.name, documents, queries, judgments)


def _jsonl(path: Path) -> Iterator[dict[str, str]]:
    if not path.is_file():
        raise CollectionError(f"{path}: not found; the BEIR layout needs it")
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
            except json.JSONDecodeError as error:
                raise CollectionError(f"{path}:{number}: {error.msg}; expected one JSON object") from error
            if not isinstance(record, dict) or "_id" not in record or "text" not in record:
                raise CollectionError(f"{path}:{number}: expected an object with _id and text")
            yield record


def _smart(path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """(number, {field letter: text}) of each record of a SMART file; line breaks become spaces."""
    if not path.is_file():
        raise CollectionError(f"{path}: not found; the SMART layout needs it")
    id, letter, fields = "", "", dict[str, list[str]]()
    for line in path.read_text(encoding="latin-1").splitlines():
        if line.startswith(".I "):
            if id:
                yield id, {key: " ".join(parts) for key, parts in fields.items()}
            id, letter, fields = line[3:].strip(), "", {}
        elif re.fullmatch(r"\.[A-Z]", line.rstrip()):
            letter = line[1]
        else:
            fields.setdefault(letter, []).append(line.strip())
    if id:
        yield id, {key: " ".join(parts) for key, parts in fields.items()}
