"""The canonical form, digests over it, and paths into JSON values."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provenance.canonical import NotCanonical, canonical_bytes, pretty, resolve, rounded, without

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
).filter(lambda value: "\\ud" not in json.dumps(value))


def test_key_order_and_white_space_do_not_matter() -> None:
    assert canonical_bytes(json.loads('{"b": 1, "a": [1, 2]}')) == b'{"a":[1,2],"b":1}'


def test_text_is_utf_8() -> None:
    assert canonical_bytes("häfen") == '"häfen"'.encode()


def test_an_integral_float_and_its_integer_are_the_same_number() -> None:
    assert canonical_bytes([1.0, -0.0, 0.1]) == b"[1,0,0.1]"


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_a_value_written_and_read_again_has_the_same_canonical_form(value: Any) -> None:
    assert canonical_bytes(json.loads(canonical_bytes(value))) == canonical_bytes(value)
    assert canonical_bytes(json.loads(pretty(value))) == canonical_bytes(value)


@settings(max_examples=60, deadline=None)
@given(JSON)
def test_rounding_twice_is_rounding_once(value: Any) -> None:
    assert rounded(rounded(value)) == rounded(value)


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": [0, math.nan]}, "/a/1: nan"),
        ({"a": math.inf}, "/a: inf"),
        ({"x/y": object()}, "/x~1y: object"),
        ({"a": {1: 2}}, "/a: key 1 is int"),
        ("\ud800", "/: a lone surrogate"),
    ],
)
def test_what_has_no_canonical_form_is_named_with_its_path(value: Any, path: str) -> None:
    with pytest.raises(NotCanonical, match="^" + path.replace("~", "~")):
        canonical_bytes(value)


def test_rounding_keeps_small_values_and_converts_numerical_types() -> None:
    assert rounded((0.12345678, 1.23456789e-9, -0.0)) == [0.123457, 1.23457e-09, 0.0]
    assert rounded({"a": np.float32(0.5), "b": np.arange(2), "c": np.int64(3)}) == {"a": 0.5, "b": [0, 1], "c": 3}


def test_pointers_resolve_as_in_rfc_6901() -> None:
    value = {"a/b": {"m~n": [10, 20]}, "": 5}
    assert resolve(value, "/a~1b/m~0n/1") == 20
    assert resolve(value, "/") == 5
    assert resolve(value, "") is value
    with pytest.raises(KeyError, match="nothing at /a~1b/x"):
        resolve(value, "/a~1b/x/y")
    with pytest.raises(ValueError, match="leading"):
        resolve(value, "a")


def test_patterns_remove_keys_and_keep_the_indices_of_neighbours() -> None:
    value = {"timings": {"p50": 1}, "result": {"cells": [{"recall": 1, "n": 2}, {"recall": 3}], "list": [1, 2]}}
    assert without(value, ["/timings", "/result/cells/*/recall", "/result/list/0"]) == {
        "result": {"cells": [{"n": 2}, {}], "list": [None, 2]}
    }
    assert without({"a": [1, 2]}, ["/a/*"]) == {"a": []}
    assert without({"a": 1}, ["/b/c"]) == {"a": 1}
