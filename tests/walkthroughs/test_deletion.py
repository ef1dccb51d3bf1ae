"""The walkthroughs of deletion say what their dataset says."""

import pytest

from render.views.walkthrough import find
from tests.walkthroughs.drawing import dataset, prints, shown, spaced, text

SURFACES = ("vectors", "lexical", "answers", "snapshot")


def test_every_cell_prints_the_questions_that_are_still_given_the_document() -> None:
    data = dataset("deletion")
    steps = {one.id: one for one in find("deletion").steps(data)}
    for row in data.result["skips"]:
        for surface in SURFACES:
            assert str(steps[f"{row['skipped']}-{surface}"].brief) == str(row["shown"][surface])
    assert len(steps) == len(data.result["skips"]) * len(SURFACES)


def test_only_the_forgotten_surface_gives_the_document() -> None:
    for row in dataset("deletion").result["skips"]:
        given = {surface for surface in SURFACES if row["shown"][surface]}
        assert given == (set(SURFACES) if row["skipped"] == "everything" else set(SURFACES) & {row["skipped"]})
        assert all(not row["shown_after"][surface] for surface in SURFACES) or row["skipped"] == "everything"


def test_the_reconciler_finds_as_many_rows_as_were_forgotten() -> None:
    rows = {row["skipped"]: row for row in dataset("deletion").result["skips"]}
    for surface in SURFACES:
        assert rows[surface]["found"] == rows["none"]["deleted"][surface] == rows[surface]["repaired"] > 0
    assert rows["none"]["found"] == 0


@pytest.mark.parametrize("state", ["before", "deleted", "vacuumed", "rewritten"])
def test_a_state_of_the_index_prints_its_figures(state: str) -> None:
    data = dataset("deletion")
    step = next(one for one in find("deletion#deletion-index").steps(data) if one.id == state)
    seen = spaced(f"{step.says} {text(step.body)}")
    for name in step.numbers:
        assert prints(data.figures[name], seen, str(step.body)), name


def test_deleted_rows_take_places_until_vacuum_and_are_never_returned() -> None:
    data = dataset("deletion")
    returned = {row["state"]: row["measured"]["returned"] for row in data.result["searches"]}
    assert returned["deleted"] < returned["before"] and returned["vacuumed"] > returned["deleted"]
    assert [row["own"] for row in data.result["searches"]] == [None, 0, 0, 0]


def test_the_summary_of_ways_back_counts_them() -> None:
    data = dataset("deletion")
    refused = [row["way"] for row in data.result["returns"] if row["refused"]]
    assert shown(data.figures["ways_refused"]["value"]) == str(len(refused)) and "reworded" not in refused
