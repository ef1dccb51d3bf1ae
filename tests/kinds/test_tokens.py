"""The token mask prints both probabilities of every leading token and refuses a choice that the mask forbids."""

from __future__ import annotations

import re

import pytest

from checks.html import check
from render.views.kinds.tokens import Decoding, Token, token_mask, visible

TOKENS = [Token('"', 0.31, 0.88), Token(" The", 0.4, None), Token("null", 0.04, 0.11), Token(" a\n", 0.02, None)]
STEP = Decoding('{"answer": ', TOKENS, 3, 50_257, '"')


def test_both_probabilities_of_every_token_are_text() -> None:
    html = str(token_mask(STEP, title="Step 4"))
    for value in (0.31, 0.88, 0.4, 0.04, 0.11, 0.02):
        assert f'<data value="{value}">' in html
    assert html.count("forbidden") == 2 and html.count(">allowed<") == 2 and html.count('"note-inline">none') == 2
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{html}</body></html>'
    assert check(page, "tokens.html") == []


def test_what_remains_allowed_is_said_of_the_whole_vocabulary() -> None:
    html = str(token_mask(STEP, title="Step 4"))
    assert '<data value="3">3</data> of <data value="50257">' in html
    widths = re.findall(r'class="fill permitted" x="0" y="0" width="([\d.]+)"', html)
    assert widths == ["1"]  # three of fifty thousand are less than a unit wide, and still seen


def test_the_text_so_far_ends_with_the_chosen_token() -> None:
    html = str(token_mask(STEP, title="Step 4"))
    assert "{&#34;answer&#34;: <mark>&#34;</mark>" in html
    assert html.count('<tr class="is-on">') == 1 and html.count(">chosen<") == 1


def test_bars_before_and_after_share_one_scale() -> None:
    html = str(token_mask(STEP, title="Step 4"))
    rows = re.findall(r'y="2" width="([\d.]+)"', html)
    assert rows[:4] == ["31", "88", "40", "0"]


def test_white_space_in_a_token_is_visible() -> None:
    assert visible(" a\n") == "·a⏎"
    assert "·a⏎" in token_mask(STEP, title="Step 4")


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (Decoding("", TOKENS, 3, 100, " The"), "not among the leading allowed"),
        (Decoding("", TOKENS, 0, 100, '"'), "0 of 100 tokens allowed"),
        (Decoding("", [Token("a", 1.2, 1.0)], 1, 100, "a"), "probability 1.2"),
    ],
)
def test_what_cannot_be_is_refused(step: Decoding, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        token_mask(step, title="T")
