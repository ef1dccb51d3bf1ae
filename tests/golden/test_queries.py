"""The golden questions are well formed, point into the corpus and quote their documents verbatim.

Quotations are looked up in the mirrored texts; set ZEROTH_MIRROR to a folder laid out as <host>/<path>, or
keep the mirror at ../shared/mirror. Without one the look-up is skipped, the rest still runs.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).resolve().parents[2]
CATEGORIES = {"fact", "procedure", "comparison", "identifier", "rationale", "unanswerable"}
FIELDS = {"id", "text", "tenant", "category", "doc", "section", "answer", "evidence"}
LONGEST_EVIDENCE = 200
NEAR_DUPLICATE = 0.7

# RFCs before 1992 or so set the number flush against the title: "RFC 1341MIME: ...June 1992".
RUNNING_HEAD = re.compile(r"^RFC ?\d+.*(?:19|20)\d\d\s*$")
RUNNING_FOOT = re.compile(r"^.*\[Page \d+\]\s*$")


def load(path: str) -> Any:
    return json.loads((ROOT / path).read_text(encoding="utf-8"))


GOLDEN: dict[str, Any] = load("data/golden/queries.json")
QUERIES: list[dict[str, Any]] = GOLDEN["queries"]
ANSWERABLE = [query for query in QUERIES if query["category"] != "unanswerable"]
UNANSWERABLE = [query for query in QUERIES if query["category"] == "unanswerable"]
DOCUMENTS: dict[str, dict[str, Any]] = {
    document["id"]: document for document in load("data/corpus/manifest.json")["documents"]
}


def mirror() -> Path | None:
    """Folder of mirrored documents, or None when this checkout has none beside it."""
    folder = Path(os.environ.get("ZEROTH_MIRROR") or ROOT.parent / "shared" / "mirror")
    return folder if folder.is_dir() else None


def one_line(text: str) -> str:
    return " ".join(text.split())


@cache
def running_text(path: Path) -> str:
    """The document as one line, without the running heads and feet of its printed pages."""
    lines = path.read_text(encoding="utf-8", errors="replace").replace("\f", "\n").splitlines()
    return one_line("\n".join(line for line in lines if not (RUNNING_HEAD.match(line) or RUNNING_FOOT.match(line))))


def tokens(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def near_duplicates(texts: dict[str, str]) -> Iterator[tuple[str, str, float]]:
    """Pairs of ids whose token sets overlap by NEAR_DUPLICATE or more (Jaccard)."""
    bags = {name: tokens(text) for name, text in texts.items()}
    for left, right in combinations(bags, 2):
        overlap = len(bags[left] & bags[right]) / len(bags[left] | bags[right])
        if overlap >= NEAR_DUPLICATE:
            yield left, right, overlap


def test_the_file_says_who_drafted_the_questions_and_that_no_person_verified_them() -> None:
    assert "model" in GOLDEN["drafted_by"]
    assert "not verified by a person" in GOLDEN["verified"].lower()


def test_every_question_has_exactly_the_agreed_fields_and_a_known_category() -> None:
    for query in QUERIES:
        assert set(query) == FIELDS, query["id"]
        assert query["category"] in CATEGORIES, query["id"]
        assert query["text"] == one_line(query["text"]), query["id"]


def test_question_ids_are_unique_and_begin_with_their_tenant() -> None:
    repeated = [name for name, count in Counter(query["id"] for query in QUERIES).items() if count > 1]
    assert repeated == []
    for query in QUERIES:
        assert re.fullmatch(rf"{query['tenant'] or 'none'}-\d\d", query["id"]), query["id"]


def test_every_answerable_question_names_a_document_of_its_own_tenant() -> None:
    for query in ANSWERABLE:
        assert query["doc"] in DOCUMENTS, query["id"]
        assert DOCUMENTS[query["doc"]]["tenant"] == query["tenant"], query["id"]
        assert query["section"] and query["answer"] and query["evidence"], query["id"]


def test_an_unanswerable_question_has_no_document_tenant_section_answer_or_evidence() -> None:
    assert UNANSWERABLE
    for query in UNANSWERABLE:
        assert [query[name] for name in ("doc", "tenant", "section", "answer", "evidence")] == [None] * 5


def test_every_tenant_has_fifteen_questions_over_eight_documents_or_all_it_has() -> None:
    for tenant in {document["tenant"] for document in DOCUMENTS.values()}:
        asked = [query["doc"] for query in ANSWERABLE if query["tenant"] == tenant]
        available = sum(document["tenant"] == tenant for document in DOCUMENTS.values())
        assert len(asked) >= 15, tenant
        assert len(set(asked)) >= min(8, available), tenant


def test_every_tenant_has_a_question_that_turns_on_an_exact_identifier() -> None:
    tenants = {query["tenant"] for query in QUERIES if query["category"] == "identifier"}
    assert tenants == {document["tenant"] for document in DOCUMENTS.values()}


def test_no_question_gives_its_document_away_by_number() -> None:
    assert [query["id"] for query in QUERIES if re.search(r"\brfc\s*\d", query["text"], re.IGNORECASE)] == []


def test_no_two_questions_are_near_duplicates() -> None:
    assert list(near_duplicates({query["id"]: query["text"] for query in QUERIES})) == []


def test_the_near_duplicate_check_catches_a_question_asked_twice() -> None:
    twice = {"a": "How long may a server cache it?", "b": "How long may the server cache it?", "c": "Why?"}
    assert [(left, right) for left, right, _ in near_duplicates(twice)] == [("a", "b")]


def test_evidence_is_short_and_written_on_one_line() -> None:
    for query in ANSWERABLE:
        assert query["evidence"] == one_line(query["evidence"]), query["id"]
        assert len(query["evidence"]) <= LONGEST_EVIDENCE, query["id"]


@pytest.mark.skipif(mirror() is None, reason="no mirrored documents: set ZEROTH_MIRROR")
def test_evidence_stands_verbatim_in_the_document() -> None:
    folder = mirror()
    assert folder is not None
    missing = []
    for query in ANSWERABLE:
        url = urlsplit(DOCUMENTS[query["doc"]]["url"])
        if query["evidence"] not in running_text(folder / url.netloc / url.path.lstrip("/")):
            missing.append(query["id"])
    assert missing == []


def test_a_page_break_inside_a_quotation_does_not_hide_it(tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text(
        "   The value is\n\nDoe            Standards Track     [Page 1]\n\f\nRFC 9999    Title    May 2021\n\n   two."
    )
    assert running_text(page) == "The value is two."
