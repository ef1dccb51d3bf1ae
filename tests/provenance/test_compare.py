"""Two payloads side by side, within what a capture allows itself."""

from __future__ import annotations

import pytest

from provenance.compare import allowed, differences


def test_equal_payloads_do_not_differ() -> None:
    value = {"a": [1, 2.5, "x", None, True]}
    assert differences(value, value) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ({"a": 1}, {"a": 2}, "/a: 1, now 2"),
        ({"a": 1}, {}, "/a: only in the old payload"),
        ({}, {"a/b": 1}, "/a~1b: only in the new payload"),
        ([1], [1, 2], "/: 1 items, now 2"),
        ({"a": [1.0]}, {"a": [1.01]}, "/a/0: 1.0, now 1.01"),
        ({"a": "x"}, {"a": "y"}, "/a: 'x', now 'y'"),
        ({"a": True}, {"a": 1}, "/a: True, now 1"),
        ({"a": None}, {"a": 0}, "/a: None, now 0"),
        ({"a": {}}, {"a": []}, "/a: {}, now []"),
    ],
)
def test_a_difference_names_its_place_and_both_values(old: object, new: object, message: str) -> None:
    assert differences(old, new, 1e-3, 1e-3) == [message]


def test_floats_may_differ_by_the_tolerance_and_integers_may_not() -> None:
    assert differences([0.5, 1000.0], [0.5004, 1000.9], 1e-3, 1e-3) == []
    assert differences([1, 1000000], [1, 1000001], 1e-3, 1e-3) == ["/1: 1000000, now 1000001"]
    assert differences([1], [1.0005], 0, 1e-3) == []


def test_the_list_of_differences_is_bounded() -> None:
    assert len(differences(list(range(100)), list(range(1, 101)), limit=5)) == 5


def test_only_exact_datasets_allow_nothing() -> None:
    assert allowed({"kind": "exact"}) == (0, 0)
    assert allowed({"kind": "tolerance", "rel": 0.1, "abs": 0.2}) == (0.1, 0.2)
    assert allowed({"kind": "distribution", "runs": 5, "statistic": "mean", "abs": 0.05}) == (0, 0.05)
