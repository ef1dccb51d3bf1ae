"""Tables laid over a published dataset: every figure that readers would miss is named."""

from __future__ import annotations

from harness.capture.api import Payload
from harness.capture.block import payload_of
from harness.capture.kept import unkept
from harness.capture.tables import Column, Table, counts

DATASET = {
    "volatile": [],
    "result": {"rows": [{"cell": "all", "recall": 0.5, "n": 4}], "population": {"chunks": 9}},
    "timings": {},
    "figures": {
        "recall_all": {"value": 0.5, "unit": "", "label": "recall, everyone", "digits": 3, "n": 4,
                       "at": "/result/rows/0/recall"},
        "chunks": {"value": 9, "unit": "", "label": "chunks", "digits": 0},
    },
}  # fmt: skip
RECALL = Column("recall", "recall", "recall, {row}", 3, n="n")
ROWS = Table("/result/rows", [RECALL], "{cell}", "{cell}", words={"cell": {"all": "everyone"}})


def test_what_is_kept_is_not_named_and_a_new_name_is_no_loss() -> None:
    more = Table("/result/rows", [RECALL, Column("n", "n", "n, {row}")], "{cell}", "{cell}", words=ROWS.words)
    assert unkept(DATASET, [more, counts("/result/population", {"chunks": "chunks"})]) == []


def test_what_is_gone_or_another_is_named_with_both() -> None:
    found = unkept(DATASET, [Table("/result/rows", [Column("recall", "n", "recall, {row}", 3)], "{cell}", "{cell}")])
    assert found == [
        "recall_all: value 0.5, now 4",
        'recall_all: label "recall, everyone", now "recall, all"',
        "recall_all: n 4, now none",
        "chunks: gone (chunks)",
    ]


def test_a_declaration_that_fits_nothing_is_the_answer() -> None:
    assert unkept(DATASET, [counts("/result/gone", {"chunks": "chunks"})]) == [
        "table /result/gone: nothing at /result/gone"
    ]


def test_a_capture_with_tables_writes_them_and_no_figures() -> None:
    payload = Payload({"k": 60, "rows": [{"k": 0.1234567}]})
    table = Table("/result", [Column("k", "k", "rank constant")])
    written = payload_of(payload, [table])
    assert written == {
        "tables": [{"rows": "/result", "columns": [{"name": "k", "path": "k", "label": "rank constant"}]}],
        "result": {"k": 60, "rows": [{"k": 0.123457}]},
        "timings": {},
    }
    assert payload_of(Payload({})) == {"figures": {}, "result": {}, "timings": {}}
