"""Plans are read alike from both forms of EXPLAIN, and nothing that a plan does not say is drawn."""

from __future__ import annotations

import re

import pytest

from checks.html import check
from render.views.kinds.explain import Node, from_json, from_text
from render.views.kinds.plan import CELLS, plan

TEXT = [
    "Limit  (cost=0.28..8.30 rows=10 width=40) (actual time=0.031..1.204 rows=3.00 loops=1)",
    "  Buffers: shared hit=120 read=4",
    "  InitPlan 1",
    "    ->  Result  (cost=0.00..0.26 rows=1 width=32) (actual time=0.010..0.011 rows=1.00 loops=1)",
    "  ->  Nested Loop  (cost=0.28..8.30 rows=12 width=40) (actual time=0.030..1.200 rows=3.00 loops=1)",
    "        ->  Index Scan using chunk_hnsw on chunk  (cost=0.1..4 rows=2500 width=8) (actual time=0.02..1.1 "
    "rows=4.00 loops=1)",
    "              Order By: (embedding <=> '[…]'::vector)",
    "              Filter: (tenant = ANY ((InitPlan 1).col1))",
    "              Rows Removed by Filter: 36",
    "        ->  Index Scan using document_pkey on document  (cost=0.1..4 rows=1 width=8) (actual time=0.01..0.01 "
    "rows=0.75 loops=4)",
    "        ->  Seq Scan on spare  (cost=0.1..4 rows=1 width=8) (never executed)",
    "Planning Time: 0.1 ms",
]
JSON = [
    {
        "Plan": {
            "Node Type": "Limit", "Plan Rows": 10, "Actual Rows": 3.0, "Actual Loops": 1, "Actual Total Time": 1.204,
            "Shared Hit Blocks": 120, "Shared Read Blocks": 4,
            "Plans": [
                {"Node Type": "Result", "Parent Relationship": "InitPlan", "Subplan Name": "InitPlan 1",
                 "Plan Rows": 1, "Actual Rows": 1.0, "Actual Loops": 1, "Actual Total Time": 0.011},
                {"Node Type": "Nested Loop", "Plan Rows": 12, "Actual Rows": 3.0, "Actual Loops": 1,
                 "Actual Total Time": 1.2,
                 "Plans": [
                     {"Node Type": "Index Scan", "Index Name": "chunk_hnsw", "Relation Name": "chunk",
                      "Plan Rows": 2500, "Actual Rows": 4.0, "Actual Loops": 1, "Actual Total Time": 1.1,
                      "Order By": "(embedding <=> '[…]'::vector)", "Filter": "(tenant = ANY ((InitPlan 1).col1))",
                      "Rows Removed by Filter": 36},
                     {"Node Type": "Index Scan", "Index Name": "document_pkey", "Relation Name": "document",
                      "Plan Rows": 1, "Actual Rows": 0.75, "Actual Loops": 4, "Actual Total Time": 0.01},
                     {"Node Type": "Seq Scan", "Relation Name": "spare", "Plan Rows": 1, "Actual Rows": None,
                      "Actual Loops": 0},
                 ]},
            ],
        }
    }
]  # fmt: skip


def drawn(node: Node, **options: object) -> str:
    return str(plan(node, title="A plan", **options))  # type: ignore[arg-type]


def test_both_forms_of_explain_give_one_tree() -> None:
    assert from_text(TEXT) == from_json(JSON)


def test_nodes_nest_as_the_plan_does() -> None:
    depths = [(depth, node.name.split(" using")[0], node.part) for depth, node in from_text(TEXT).walk()]
    assert depths == [
        (0, "Limit", ""),
        (1, "Result", "InitPlan 1"),
        (1, "Nested Loop", ""),
        (2, "Index Scan", ""),
        (2, "Index Scan", ""),
        (2, "Seq Scan on spare", ""),
    ]
    html = drawn(from_text(TEXT))
    assert html.count("<ol") == 3
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{html}</body></html>'
    assert check(page, "plan.html") == []


def test_each_removed_row_is_drawn_and_counted() -> None:
    html = drawn(from_text(TEXT))
    scan = html[html.index("chunk_hnsw") :]
    scan = scan[: scan.index("</svg>", scan.index("plan-cells"))]
    assert scan.count('class="fill discarded"') == 36 and scan.count('class="fill permitted"') == 4
    assert "4 of 40 rows passed on" in scan and '<data value="36">36</data>' in scan


def test_many_rows_are_a_bar_whose_kept_part_never_vanishes() -> None:
    html = drawn(Node("Seq Scan", rows=1, removed=50_000))
    widths = [float(width) for width in re.findall(r'width="([\d.]+)" height="(?:12|6)"', html)]
    assert len(widths) == 2 and widths[0] >= 2 and sum(widths) == pytest.approx(320)
    assert html.count("<rect") == 2 and CELLS < 50_001


def test_counts_of_several_loops_are_totals() -> None:
    html = drawn(from_text(TEXT))
    scan = html[html.index("document_pkey") :]
    assert '<data value="3">3</data>' in scan.partition("</li>")[0] and 'in <data value="4">4</data> loops' in scan


def test_what_a_plan_does_not_say_is_not_drawn() -> None:
    html = drawn(from_text(["Limit (actual rows=0.00 loops=1)", "  ->  Seq Scan on chunk (actual rows=0.00 loops=1)"]))
    for word in ("expected", "ms", "blocks", "removed", '<svg class="plan-cells'):
        assert word not in re.sub(r"Counts are totals.*", "", html)
    full = drawn(from_text(TEXT))
    assert "rows expected" in full and "time" in full and "blocks" in full and "never executed" in full


def test_nodes_of_a_step_stand_out_and_speak_plainly() -> None:
    html = drawn(from_text(TEXT), on=["Limit"], words={"Limit": "stops after ten"})
    assert html.count("plan-box is-on") == 1 and html.count("stops after ten") == 1


def test_lines_that_are_no_plan_are_refused() -> None:
    with pytest.raises(ValueError, match="no plan node"):
        from_text(["QUERY PLAN", "------"])
