"""The walkthrough of what a first visit costs, over its real dataset."""

from __future__ import annotations

from tests.walkthroughs.drawing import dataset, keeps_the_rules, shown, step, text


def test_it_keeps_the_rules_of_walkthroughs() -> None:
    keeps_the_rules("site_budget")


def test_every_concept_page_stands_in_the_table_with_its_weight() -> None:
    seen = text(step("site_budget", "concepts").body)
    rows = [row for row in dataset("site_budget").result["pages"] if row["kind"] == "concept"]
    assert rows
    for row in rows:
        assert row["path"].split("/")[1] in seen
        assert shown(row["transfer_kb"], 1) in seen


def test_every_promise_stands_in_the_last_state_with_how_many_pages_kept_it() -> None:
    body = text(step("site_budget", "promises").body)
    for row in dataset("site_budget").result["plain"]:
        assert f"{row['says']} {row['kept']} {row['pages']}" in body


def test_the_parts_of_the_heaviest_page_add_up_to_its_visit() -> None:
    data = dataset("site_budget")
    concepts = [row for row in data.result["pages"] if row["kind"] == "concept"]
    heaviest = max(concepts, key=lambda row: row["transfer_kb"])
    parts = heaviest["text_kb"] + heaviest["walkthrough_kb"] + heaviest["style_kb"] + heaviest["script_kb"]
    assert 0 <= heaviest["transfer_kb"] - parts < 2, "what is left is the icon"
    assert data.figures["heaviest_concept_kb"]["value"] == heaviest["transfer_kb"]
