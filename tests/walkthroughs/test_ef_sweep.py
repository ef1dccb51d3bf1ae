"""The grid of indexes and list lengths shows what was captured, and the page's readings of it hold."""

from __future__ import annotations

import itertools
from collections import Counter

from tests.walkthroughs.drawing import dataset, drawn, shown, step, text


def test_every_index_has_every_list_length_and_recall_stands_in_its_cell() -> None:
    data = dataset("ef_sweep")
    steps = {one.id: one for one in drawn("ef_sweep")}
    rows = data.at("/result/readings")
    assert len(steps) == len(rows) == 4 * len(data.params["ef_search"])
    for row in rows:
        one = steps[f"{row['index']}-ef-{row['ef_search']}"]
        assert one.brief == shown(row["measured"]["recall"]["mean"], 3)


def test_a_setting_prints_recall_answers_and_cost_beside_exact_search() -> None:
    data = dataset("ef_sweep")
    seen = text(step("ef_sweep", "default-ef-40").body)
    row = next(r for r in data.at("/result/readings") if (r["index"], r["ef_search"]) == ("default", 40))
    time = next(r for r in data.timings["searches"] if (r["index"], r["ef_search"]) == ("default", 40))
    for value, digits in (
        (row["measured"]["recall"]["mean"], 3),
        (row["measured"]["hit"]["mean"], 3),
        (data.at("/result/exact/hit"), 3),
        (time["p50"], 2),
        (time["p95"], 2),
    ):
        assert shown(value, digits) in seen


def test_every_reading_was_a_scan_of_the_index() -> None:
    data = dataset("ef_sweep")
    builds = {"default": 3, "half": 3}
    for row in data.at("/result/readings"):
        assert row["plans"] == {"hnsw index scan": row["n"] * builds.get(row["index"], 1)}
    assert any("Index Scan using chunk_embedding_hnsw" in line for line in data.at("/result/plan"))


def test_recall_never_falls_by_more_than_a_hair_when_the_list_grows() -> None:
    by_index: dict[str, list[float]] = {}
    for row in dataset("ef_sweep").at("/result/readings"):
        by_index.setdefault(row["index"], []).append(row["measured"]["recall"]["mean"])
    for means in by_index.values():
        assert all(after > before - 0.003 for before, after in itertools.pairwise(means))
        assert means[-1] > 0.99


def test_the_grid_holds_every_value_of_both_dials_and_three_builds_of_the_default() -> None:
    rows = dataset("ef_sweep").at("/result/grid")
    assert Counter(row["m"] for row in rows) == {8: 3, 16: 4, 32: 3}
    assert {row["ef_construction"] for row in rows} == {32, 64, 128, 200}
    assert next(row["builds"] for row in rows if (row["m"], row["ef_construction"]) == (16, 64)) == 3


def test_exact_search_was_confirmed_by_numpy() -> None:
    exact = dataset("ef_sweep").at("/result/exact")
    assert exact["questions"] >= 200 and exact["same_ids"] >= 0.98 * exact["questions"]
