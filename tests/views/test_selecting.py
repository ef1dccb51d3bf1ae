"""What selectors and expressions find, and what they say where they find nothing."""

from __future__ import annotations

from typing import Any

import pytest

from render.reading.expressions import ExpressionError
from render.views.selecting import Node, SelectionError
from tests.views.made import bindings


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("/params/k", [10]),
        ("made:/params/k", [10]),
        ("/result/rows/0/way", ["after"]),
        ("/result/rows/-1/way", ["never"]),
        ("/result/rows/way", ["after", "before", "never"]),
        ("/result/rows[told]/way", ["after"]),
        ("/result/rows[!told]/way", ["before", "never"]),
        ("/result/rows[n>0,!told]/way", ["before"]),
        ("/result/rows[n>=240]/way", ["after", "before"]),
        ("/result/rows[way=after|never]/n", [240, 0]),
        ("/result/rows[way!=after|never]/n", [240]),
        ("/result/rows[told=true]/way", ["after"]),
        ("/result/rows[interval/0<0.5]/way", ["after", "never"]),
        ("/result/rows[n=$after/n]/way", ["after", "before"]),
        ("/result/rows[n=$100 + 140]/way", ["after", "before"]),
        ("/result/rows[sort -n]/way", ["before", "after", "never"]),
        ("/result/rows[sort recall]/way", ["after", "before", "never"]),
        ("/result/rows[max recall]/way", ["before"]),
        ("found[min abs(score - 0.4)]/id", ["b:2"]),
        ("found[first 2]/id", ["a:1", "b:2"]),
        ("found[last 1]/id", ["c:3"]),
        ("found[visible][last 1]/id", ["c:3"]),
        ("found[id=c:3]/place", [3]),
        ("case/codes[here=11]/place", [2]),
        ("/result/by_reader[short>0]/name", ["one"]),
        ("/result/plan[explain][filter]/removed", [6]),
        ("/result/plan[explain]/name", ["Limit", "Index Scan using made_hnsw on chunks"]),
    ],
)
def test_a_selector_names_values_in_order(text: str, found: list[Any]) -> None:
    assert [node.value for node in bindings().nodes(text)] == found


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("after.recall + 0.1", pytest.approx(0.5125)),
        ('count("found[visible]")', 2),
        ('count("found")', 3),
        ('sum("case/parts")', 0.125),
        ('max("found/score") - min("found/score")', 0.5),
        ('mean("found/rank")', 2),
        ('at("found/0/id") == at("found[id=a:1]/id")', True),
        ('at("case/codes") == at("case/codes")', True),
        ("made.recall > 0.4 and made.params.k == 10", True),
    ],
)
def test_an_expression_works_on_names_selectors_and_figures(text: str, value: Any) -> None:
    assert bindings().value(text) == value


def test_names_at_hand_are_those_of_the_record_first() -> None:
    row = bindings().at(Node("row", {"k": 3, "case": "own"}, place=2, record=True))
    assert [row.value(text) for text in ("k", "case", "place", "k * place")] == [3, "own", 2, 6]
    assert row.value("/result/rows[n=$k * 80]/way[here=after]") == "after"
    assert row.value("after/n") == 240, "a declared name keeps its meaning inside a record"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("after/recal", "made:/result/rows/0 has the keys interval, n, recall, role, told, way, not 'recal'"),
        ("/result/rows/9/way", "has 3 items, not '9'"),
        ("/result/rows[wai=after]", "no record has `wai`; they have interval, n,"),
        ("afta/recall", "nothing is called `afta` here; did you mean `after`?"),
        ("/result/rows[]", "empty condition"),
        ("/result/rows[way=after", "cannot be read from `[way=after` on"),
        ("/params/k[max zz]", "nothing is called `zz` here"),
        ("/result/rows[n>9000][max recall]", "has no record to choose from"),
        ("nowhere:/x", "no dataset is called `nowhere`"),
    ],
)
def test_a_selector_that_leads_nowhere_says_where_it_ended(text: str, says: str) -> None:
    with pytest.raises((SelectionError, LookupError)) as error:
        bindings().nodes(text)
    assert says in str(error.value)


@pytest.mark.parametrize("text", ["/result/rows/n", "found[score>9]"])
def test_one_value_is_neither_none_nor_several(text: str) -> None:
    with pytest.raises(SelectionError, match=r"names \d values: expected one"):
        bindings().node(text)


def test_a_selector_with_several_values_is_no_operand() -> None:
    with pytest.raises(ExpressionError, match="names 3 values: expected one"):
        bindings().value('at("found/rank") + 1')
