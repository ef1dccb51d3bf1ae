"""The walkthrough of pages says what its dataset says, and shows no page where there is none."""

from __future__ import annotations

from typing import Any

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text


def cases() -> dict[str, dict[str, Any]]:
    return {case["case"]: case for case in dataset("pages").result["cases"]}


def test_the_walkthrough_of_pages_keeps_the_rules() -> None:
    keeps_the_rules("pages")


def test_the_first_view_prints_every_estimate_of_every_family() -> None:
    rows = dataset("pages").result["wrong"]
    seen = text(drawn("pages")[0].body)
    assert len(rows) == 12
    assert all(shown(100 * row["wrong"], 1) in seen for row in rows)


def test_a_document_without_pages_is_cited_by_section_and_by_no_page() -> None:
    case, seen = cases()["unpaged"], text(step("pages", "unpaged").body)
    assert case["page_first"] is None and case["page_last"] is None
    assert f"section {case['section']}" in seen
    assert not any(f"page {page}" in seen for page in case["estimates"].values())
    assert dataset("pages").result["population"]["page_invented"] == 0


def test_the_quote_shown_stands_on_a_later_page_than_its_passage_begins() -> None:
    case = cases()["quote"]
    assert case["page_first"] < case["quote_page"] <= case["page_last"]
    assert f"page {case['quote_label']}" in text(step("pages", "passage").body)


def test_the_page_shown_prints_another_number_than_its_index() -> None:
    case = cases()["label"]
    assert case["label_first"].isdigit() and int(case["label_first"]) != case["page_first"]


def test_the_deepest_passages_are_cited_wrongly_more_often_than_the_first() -> None:
    rows = dataset("pages").result["depths"]
    for family in ("rfc", "contract", "filing"):
        for estimate in ("rule", "characters", "lines", "count"):
            found = [row["wrong"] for row in rows if row["family"] == family and row["estimate"] == estimate]
            assert len(found) == 5 and found[-1] > found[0]


def test_every_chunk_of_a_paged_document_has_a_page_and_counts_once() -> None:
    for row in dataset("pages").result["families"]:
        for counts in row["chunkers"].values():
            assert counts["one"] + counts["two"] + counts["more"] == counts["paged"]
            assert counts["paged"] + counts["of_unpaged"] == counts["chunks"]
            assert counts["page_missing"] == counts["page_invented"] == 0


def test_the_publishers_page_counts_agree_with_nearly_all_form_feeds() -> None:
    row = next(row for row in dataset("pages").result["families"] if row["family"] == "rfc")
    assert row["publisher_agrees"] >= 0.99 * row["publisher_counts"] > 0
