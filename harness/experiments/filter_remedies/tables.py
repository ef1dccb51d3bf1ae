"""The numbers of ``filter_remedies`` that text may cite."""

from __future__ import annotations

from typing import Any

from harness.capture.tables import Column, Table, counts
from harness.experiments.filter_remedies.remedies import WORDS
from harness.measuring.population import CELLS, LATENCY, P95, POPULATION, quality
from harness.measuring.trials import READERS

WAY_CELL: dict[str, Any] = {"key": "{way}_{cell}", "label": "{way}; {cell}", "words": {"way": WORDS, "cell": READERS}}
BY_WAY: dict[str, Any] = {"key": "{way}", "label": "{way}", "words": {"way": WORDS, "cell": READERS}}
INDEXES = {
    "index": {
        "hnsw": "the HNSW index of the table",
        "btree": "the B-tree on the tenant",
        "partial": "one HNSW index per tenant",
        "partitions": "the HNSW indexes of the partitions",
    }
}
SHARES = {
    "way": WORDS | {"hnsw": "the HNSW index, then the policy"},
    "mode": {"home": "questions about a visible tenant", "away": "questions about a hidden tenant"},
    "rows": {"all": "all rows visible", "*": "about {} rows visible"},
}
AT_ROWS: dict[str, Any] = {"key": "{way}_{mode}_{rows}", "label": "{way}; {rows}, {mode}", "words": SHARES}

TABLES = (
    POPULATION,
    CELLS,
    Table("/result/readings", quality("empty", "short"), title="Remedies by reader and question", **WAY_CELL),
    Table("/timings/searches", [LATENCY, P95], title="Times of the remedies", **WAY_CELL),
    Table(
        "/result/summary",
        [
            Column("least_recall", "measured/recall", "smallest recall@10 of a cell, {row}", 3, n="n",
                   interval="measured/interval"),
            Column("all_empty", "measured/empty", "questions with no result, {row}", n="askings",
                   interval="measured/empty_range"),
            Column("all_short", "measured/short", "questions with fewer results than by exact search, {row}",
                   n="askings", interval="measured/short_range"),
        ],
        title="Remedies where they are worst", **BY_WAY,
    ),
    Table(
        "/timings/slowest",
        [Column("slowest", "p50", "largest median time of a cell, {row} (interval: 5th to 95th percentile)", 1, "ms",
                "n", ("p05", "p95"))],
        title="Remedies where they are slowest", **BY_WAY,
    ),
    counts("/result/verdict", {"remedy": "plainest remedy that loses nothing, by its name here",
                               "words": "plainest remedy that loses nothing"}, "plainest_"),
    Table(
        "/result/indexes",
        [Column("mb", "measured/mb", "size of {row}", 1, "MB", "builds", "measured/mb_range")],
        key="{index}", label="{index}", words=INDEXES,
    ),
    Table(
        "/timings/builds",
        [Column("build", "seconds", "CREATE INDEX of {row}", 2, "s", "builds", "seconds_range")],
        key="{index}", label="{index}", words=INDEXES,
    ),
    Table(
        "/result/crossover",
        [*quality("empty", "short"), Column("rows", "visible", "rows visible on average, {row}", n="readers"),
         Column("share", "share", "share of rows visible, {row}", 3, n="readers")],
        title="By visible rows", **AT_ROWS,
    ),
    Table("/timings/crossover", [LATENCY, P95], title="Times by visible rows", **AT_ROWS),
    Table(
        "/result/turning",
        [
            Column("exact_up_to", "measured/exact_up_to",
                   "most visible rows up to which no search takes the graph, {row}", n="readers",
                   interval=("measured/exact_up_to", "measured/exact_up_to")),
            Column("graph_from", "measured/graph_from",
                   "fewest visible rows from which on every search takes the graph, {row}", n="readers",
                   interval=("measured/graph_from", "measured/graph_from")),
        ],
        key="ef{ef_search}", label="ef_search {ef_search}", title="Where the planner leaves the B-tree",
    ),
)  # fmt: skip
