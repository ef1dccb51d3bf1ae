"""Validity comes from metadata, silence is not currency, and what was left out is said."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from harness.freshness.contract import outcome, under_contract
from harness.freshness.validity import Register, register
from harness.retrieval.bm25 import Hit


@dataclass(frozen=True)
class Entry:
    id: str
    source: str = "rfc"
    obsoleted_by: tuple[str, ...] = ()


def chain() -> Register:
    """old → middle → (new, gone); middle and new are here, gone is not. A contract beside them."""
    return register(
        [
            Entry("old", obsoleted_by=("middle",)),
            Entry("middle", obsoleted_by=("new", "gone")),
            Entry("new"),
            Entry("lease", source="contract"),
        ]
    )


def hits(*ids: str) -> list[Hit]:
    return [Hit(id, rank, 1 / rank) for rank, id in enumerate(ids, start=1)]


def test_a_document_without_such_metadata_is_not_called_current() -> None:
    assert chain().states == {"old": "superseded", "middle": "superseded", "new": "current", "lease": "unstated"}


def test_heirs_are_the_ends_of_the_chain_and_not_the_next_link() -> None:
    assert chain().heirs("old") == ["gone", "new"]
    assert chain().heirs("middle") == ["gone", "new"]
    assert chain().held(chain().heirs("old")) == ["new"]


def test_a_document_that_holds_has_no_heirs() -> None:
    assert chain().heirs("new") == chain().heirs("lease") == []


def test_documents_that_replace_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="a is among its own successors: a → b → a"):
        register([Entry("a", obsoleted_by=("b",)), Entry("b", obsoleted_by=("a",))]).heirs("a")


def test_the_contract_says_what_it_left_out() -> None:
    fresh = under_contract(hits("old:0001", "new:0001", "middle:0003"), hits("new:0001", "lease:0001"), chain())
    assert [hit.id for hit in fresh.hits] == ["new:0001", "lease:0001"]
    assert [hit.id for hit in fresh.excluded] == ["old:0001", "middle:0003"]


def test_a_list_that_was_not_filtered_is_refused() -> None:
    with pytest.raises(ValueError, match="old:0001"):
        under_contract(hits("old:0001"), hits("new:0001", "old:0001"), chain())


@pytest.mark.parametrize(
    ("answered", "answered_open", "expected"),
    [(True, True, "answered"), (True, False, "answered"), (False, True, "nothing fresh"), (False, False, "nothing")],
)
def test_nothing_fresh_is_told_from_nothing(answered: bool, answered_open: bool, expected: str) -> None:
    assert outcome(answered=answered, answered_open=answered_open) == expected
