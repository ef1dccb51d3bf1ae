"""The golden questions on the rest of the full corpus are well formed, point into it and quote it verbatim.

Quotations are looked up in the passages the loader kept in the cache (``harness.paths.cache_dir``), so this also
shows that no quotation is cut by a passage's end. Documents without kept passages cannot be checked here; when
none has any, the look-up is skipped. The rest runs on what the repository holds.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.golden.queries import read_queries
from harness.paths import FULL_QUERIES, cache_dir
from tests.golden.test_queries import CATEGORIES, FIELDS, LONGEST_EVIDENCE, load, near_duplicates, one_line
from tests.golden.test_queries import QUERIES as FIRST

GOLDEN: dict[str, Any] = load("data/golden/full_queries.json")
QUERIES: list[dict[str, Any]] = GOLDEN["queries"]
DOCUMENTS: dict[str, dict[str, Any]] = {entry["id"]: entry for entry in load("data/corpus/full.json")["documents"]}

SHORTEST_EVIDENCE = 30
PER_TENANT = {"contract": 4, "filing": 5, "rfc": 3}
"""Source → how many questions each of its tenants has. An archive of submissions is not split into passages: none."""

OPENING = re.compile(r'\[\{"id": "[^"]*", "doc": "([^"]+)"')


def kept_passages(folder: Path, wanted: set[str]) -> dict[str, list[str]]:
    """Document → its passages, each on one line, from the newest file the loader kept of it in ``folder``."""
    newest: dict[str, Path] = {}
    for path in sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime):
        with path.open(encoding="utf-8") as file:
            opening = OPENING.match(file.read(400))
        if opening and opening[1] in wanted:
            newest[opening[1]] = path
    return {
        doc: [one_line(chunk["text"]) for chunk in json.loads(path.read_text(encoding="utf-8"))]
        for doc, path in newest.items()
    }


def uncovered(queries: list[dict[str, Any]], passages: dict[str, list[str]]) -> list[str]:
    """Ids of the questions on a kept document whose evidence stands whole in none of its passages."""
    return [
        query["id"]
        for query in queries
        if query["doc"] in passages and not any(query["evidence"] in text for text in passages[query["doc"]])
    ]


def test_the_file_says_who_drafted_the_questions_and_that_no_person_verified_them() -> None:
    assert "model" in GOLDEN["drafted_by"]
    assert "not verified by a person" in GOLDEN["verified"].lower()


def test_the_loader_reads_every_question() -> None:
    assert [query.id for query in read_queries(FULL_QUERIES)] == sorted(query["id"] for query in QUERIES)


def test_every_question_has_exactly_the_agreed_fields_all_filled_and_a_known_category() -> None:
    for query in QUERIES:
        assert set(query) == FIELDS, query["id"]
        assert query["category"] in CATEGORIES - {"unanswerable"}, query["id"]
        assert all(query[name] == one_line(query[name]) != "" for name in FIELDS), query["id"]


def test_every_question_names_a_document_of_the_full_corpus_and_its_tenant() -> None:
    for query in QUERIES:
        assert query["doc"] in DOCUMENTS, query["id"]
        assert DOCUMENTS[query["doc"]]["tenant"] == query["tenant"], query["id"]
        assert DOCUMENTS[query["doc"]]["source"] in PER_TENANT, query["id"]
        assert re.fullmatch(rf"{re.escape(query['tenant'])}-\d\d", query["id"]), query["id"]


def test_ids_are_unique_across_both_files() -> None:
    ids = Counter(query["id"] for query in [*FIRST, *QUERIES])
    assert [name for name, count in ids.items() if count > 1] == []


def test_the_two_files_together_ask_about_every_tenant_and_share_none() -> None:
    first = {DOCUMENTS[query["doc"]]["tenant"] for query in FIRST if query["doc"]}
    second = {query["tenant"] for query in QUERIES}
    assert first & second == set()
    assert first | second == {entry["tenant"] for entry in DOCUMENTS.values() if entry["source"] in PER_TENANT}


def test_every_tenant_has_its_number_of_questions_over_several_documents() -> None:
    for tenant in {query["tenant"] for query in QUERIES}:
        asked = [query["doc"] for query in QUERIES if query["tenant"] == tenant]
        available = sum(entry["tenant"] == tenant for entry in DOCUMENTS.values())
        assert len(asked) == PER_TENANT[DOCUMENTS[asked[0]]["source"]], tenant
        assert len(set(asked)) >= min(2, available), tenant


def test_folded_tenants_are_asked_about_too() -> None:
    folded = {entry["original_tenant"] for entry in DOCUMENTS.values() if entry["original_tenant"] != entry["tenant"]}
    asked = {DOCUMENTS[query["doc"]]["original_tenant"] for query in [*FIRST, *QUERIES] if query["doc"]}
    assert folded - asked == set()


def test_every_company_tenant_has_a_question_answered_by_a_row_of_a_table() -> None:
    rows = {query["tenant"] for query in QUERIES if " | " in query["evidence"]}
    assert {query["tenant"] for query in QUERIES if query["tenant"].startswith("sec-")} <= rows


def test_no_question_gives_its_document_away_by_number() -> None:
    assert [query["id"] for query in QUERIES if re.search(r"\brfc\s*\d", query["text"], re.IGNORECASE)] == []


def test_no_two_questions_of_both_files_are_near_duplicates() -> None:
    assert list(near_duplicates({query["id"]: query["text"] for query in [*FIRST, *QUERIES]})) == []


def test_evidence_is_neither_too_short_to_be_told_apart_nor_too_long_to_quote() -> None:
    for query in QUERIES:
        assert SHORTEST_EVIDENCE <= len(query["evidence"]) <= LONGEST_EVIDENCE, query["id"]


def test_evidence_stands_verbatim_within_one_passage_of_its_document() -> None:
    passages = kept_passages(cache_dir() / "chunks", {query["doc"] for query in QUERIES})
    if not passages:
        pytest.skip("no passages of these documents in the cache: load the full corpus once to keep them")
    assert uncovered(QUERIES, passages) == []


def test_a_quotation_cut_by_the_end_of_a_passage_is_found_out(tmp_path: Path) -> None:
    passages = [
        {"id": "d:0000", "doc": "d", "text": "The fee is\n  two"},
        {"id": "d:0001", "doc": "d", "text": "cents."},
    ]
    (tmp_path / "d.json").write_text(json.dumps(passages))
    whole, cut = ({"id": text, "doc": "d", "evidence": text} for text in ("fee is two", "two cents."))
    assert uncovered([whole, cut], kept_passages(tmp_path, {"d"})) == ["two cents."]
