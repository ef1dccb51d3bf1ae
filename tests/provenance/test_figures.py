"""Figures declared as columns: names, labels, intervals, and declarations that are refused."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from provenance.digests import payload_digest
from provenance.figures import figures_of, table_faults
from provenance.payload import payload_faults
from provenance.schema import violations
from tests.provenance.sample_repo import Repo

READINGS = [
    {"cell": "home1", "ef": 40, "n": 9, "measured": {"recall": 0.75, "interval": [0.7, 0.8], "by_build": [0.7, 0.8]}},
    {"cell": "all", "ef": 40, "n": 9, "measured": {"recall": None, "interval": None, "by_build": []}},
    {"cell": "all", "ef": 80, "n": 8, "measured": {"recall": 1.0, "interval": [1, 1], "by_build": [1.0, 1.0, 1.0]}},
]
TABLE = {
    "rows": "/result/readings",
    "key": "ef{ef}_{cell}",
    "label": "{cell}, ef_search {ef}",
    "words": {"cell": {"home1": "one tenant", "*": "cell {}"}},
    "columns": [
        {"name": "recall", "path": "measured/recall", "label": "recall@10, {row}, forced", "digits": 3, "n": "n",
         "interval": "measured/interval"},
        {"name": "builds", "path": "measured/recall", "label": "builds", "n": 1, "interval": "measured/by_build"},
    ],
}  # fmt: skip
COUNTS = {"rows": "/result/population", "columns": [{"name": "chunks", "path": "chunks", "label": "chunks stored"}]}


def dataset(*tables: Any, **more: Any) -> dict[str, Any]:
    return {
        "volatile": ["/timings", "/result/readings/*/measured"],
        "result": {"readings": deepcopy(READINGS), "population": {"chunks": 12, "one": {"n": 3}}},
        "timings": {},
        "tables": deepcopy(list(tables)),
        **more,
    }


def test_a_figure_is_what_its_column_says_in_its_row() -> None:
    known = figures_of(dataset(TABLE, COUNTS))
    assert known["recall_ef40_home1"] == {
        "value": 0.75,
        "unit": "",
        "label": "recall@10, one tenant, ef_search 40, forced",
        "digits": 3,
        "n": 9,
        "interval": [0.7, 0.8],
        "at": "/result/readings/0/measured/recall",
        "volatile": True,
    }
    assert known["chunks"] == {
        "value": 12, "unit": "", "label": "chunks stored", "digits": 0, "at": "/result/population/chunks",
    }  # fmt: skip


def test_the_words_for_all_others_hold_the_value() -> None:
    assert figures_of(dataset(TABLE))["recall_ef80_all"]["label"] == "recall@10, cell all, ef_search 80, forced"


def test_a_row_without_a_value_has_no_figure() -> None:
    assert list(figures_of(dataset(TABLE))) == [
        "recall_ef40_home1", "builds_ef40_home1", "recall_ef80_all", "builds_ef80_all",
    ]  # fmt: skip


def test_bounds_are_the_smallest_and_the_largest_of_a_list_or_of_two_paths() -> None:
    two = deepcopy(COUNTS)
    two["columns"][0]["interval"] = ["chunks", "one/n"]
    known = figures_of(dataset(TABLE, two))
    assert known["builds_ef80_all"]["interval"] == [1.0, 1.0]
    assert known["chunks"]["interval"] == [3, 12]


def test_a_path_may_lead_from_the_top() -> None:
    table = deepcopy(TABLE)
    table["columns"][0]["n"] = "/result/population/chunks"
    assert figures_of(dataset(table))["recall_ef40_home1"]["n"] == 12


def test_a_label_may_take_a_parameter() -> None:
    table = deepcopy(COUNTS)
    table["columns"][0]["label"] = "chunks, best {/params/k}"
    assert figures_of(dataset(table, params={"k": 60}))["chunks"]["label"] == "chunks, best 60"


def test_only_the_rows_asked_for() -> None:
    known = figures_of(dataset(TABLE | {"only": {"ef": [80]}}))
    assert list(known) == ["recall_ef80_all", "builds_ef80_all"]


def test_keys_shorten_values_and_lists_join() -> None:
    rows = [{"without": [], "n": 1}, {"without": ["side", "level"], "n": 2}]
    table = {
        "rows": "/result/rows", "key": "without_{without}", "keys": {"without": {"": "nothing"}}, "label": "{without}",
        "columns": [{"name": "seen", "path": "n", "label": "seen without {row}"}],
    }  # fmt: skip
    known = figures_of(dataset(table, result={"rows": rows}))
    assert list(known) == ["seen_without_nothing", "seen_without_side_level"]
    assert known["seen_without_side_level"]["label"] == "seen without side and level"


def test_both_forms_read_alike() -> None:
    whole = {"old": {"value": 1, "unit": "", "label": "old", "digits": 0}}
    known = figures_of(dataset(COUNTS, figures=whole))
    assert list(known) == ["old", "chunks"] and known["old"] is whole["old"]
    assert "absent" not in known and len(known) == 2


def without(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda table: table["columns"][0].pop(key)


def names(pattern: str) -> Callable[[dict[str, Any]], None]:
    return lambda table: table.update(key=pattern)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (names("{cell}"), "two figures are called recall_all"),
        (names("{gone}"), "a row lacks gone"),
        (names("EF{ef}_{cell}"), "no lower-case snake_case name"),
        (lambda t: t.update(rows="/result/gone"), "nothing at /result/gone"),
        (lambda t: t["columns"][0].update(path="measured/typo"), "measured/typo is in no row of /result/readings"),
        (lambda t: t["columns"][0].update(path="measured"), "is no number and no text"),
        (without("n"), "varies from run to run and has no n"),
        (without("interval"), "varies from run to run and has no interval"),
        (lambda t: t.update(label="{gone}"), "a row lacks gone"),
    ],
)
def test_a_declaration_that_does_not_fit_is_refused(spoil: Callable[[dict[str, Any]], None], message: str) -> None:
    table = deepcopy(TABLE)
    readings = [dict(row) for row in READINGS]
    readings[1]["measured"] = readings[2]["measured"]
    spoil(table)
    made = dataset(table)
    made["result"]["readings"] = readings
    made["result"]["readings"][1]["ef"] = 20
    assert any(message in text for _, text in table_faults(made)), table_faults(made)
    assert not table_faults(dataset(TABLE, COUNTS))


def test_schema_and_payload_rules_take_either_form_and_not_none(repo: Repo) -> None:
    made = repo.dataset | {"tables": [{"rows": "/result", "columns": [{"name": "x", "path": "k", "label": "k"}]}]}
    made["result"] = {"k": 60}
    made.pop("figures")
    assert not violations(made) and not payload_faults(made)
    assert figures_of(made)["x"]["value"] == 60
    made["tables"][0]["columns"][0]["path"] = "gone"
    assert [fault.rule for fault in payload_faults(made)] == ["table"]
    made.pop("tables")
    assert violations(made)


def test_a_dataset_has_the_same_digest_in_either_form() -> None:
    tables = [TABLE | {"columns": TABLE["columns"][:1]}, COUNTS]
    declared = dataset(*tables)
    whole = {**declared, "figures": dict(figures_of(declared))}
    del whole["tables"]
    assert payload_digest(declared) == payload_digest(whole)
    declared["tables"][1]["columns"][0]["label"] = "chunks in the store"
    assert payload_digest(declared) != payload_digest(whole)
