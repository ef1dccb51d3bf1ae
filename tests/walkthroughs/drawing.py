"""A walkthrough drawn from its dataset, with what every one of them must keep to."""

from __future__ import annotations

import gzip
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from markupsafe import Markup

from checks.html import check
from render.model import WalkthroughView
from render.numbers import number_text
from render.pages.renderer import Renderer, environment, site_of
from render.reading.library import Library
from render.reading.load import load_library
from render.reading.source import Dataset
from render.text.walkthroughs import draw
from render.views.walkthrough import Step, find, view

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 50 * 1024


@cache
def library() -> Library:
    """The content and data of this repository."""
    return load_library(ROOT, [])


def dataset(name: str) -> Dataset:
    """The captured dataset; the test is skipped where it has not been captured."""
    if name not in library().datasets:
        pytest.skip(f"data/interactive/{name}.json is not captured")
    return library().datasets[name]


@cache
def view_of(address: str) -> WalkthroughView:
    """A walkthrough by ``dataset`` or ``dataset#id``, drawn from its real dataset without a problem."""
    name, _, ident = address.partition("#")
    written = library().walkthroughs.get(name)
    if written is None:
        return view(find(address), dataset(name))
    renderer = Renderer(library(), environment(ROOT / "templates"), site_of(library()))
    scope = renderer.scope("test.md", "concepts/test/index.html")
    shown = draw(written[ident] if ident else next(iter(written.values())), dataset(name), scope)
    assert scope.problems == []
    return shown


def drawn(address: str) -> list[Step]:
    """The steps of a walkthrough over its real dataset."""
    return list(view_of(address).steps)


def step(name: str, ident: str) -> Step:
    """One step by its id."""
    return next(one for one in drawn(name) if one.id == ident)


def text(body: Markup) -> str:
    """What a reader without script sees of a body: its text, tags taken out, entities resolved, spaces alike."""
    return spaced(Markup(re.sub(r"<[^>]+>", " ", str(body))).unescape())


def spaced(value: str) -> str:
    """The text with every run of white space, narrow spaces in numbers included, as one plain space."""
    return re.sub(r"\s+", " ", value)


def shown(value: float | int, digits: int | None = None) -> str:
    """A number as the site prints it, its spaces plain as in :func:`text`."""
    return spaced(number_text(value, digits))


def prints(figure: dict[str, Any], seen: str, html: str) -> bool:
    """Whether a figure stands in the text as it is cited, or as a number that carries its unrounded value."""
    return shown(figure["value"], figure["digits"]) in seen or f'<data value="{figure["value"]!r}">' in html


def keeps_the_rules(name: str) -> None:
    """Four to nine distinct states, small, conforming HTML, and every figure a step claims printed in it."""
    steps, data = drawn(name), dataset(name)
    assert 4 <= len(steps) <= 9
    assert len({one.id for one in steps}) == len(steps)
    inner = "".join(f"<section>{one.body}</section>" for one in steps)
    page = f'<!doctype html><html lang="en"><head><title>x</title></head><body>{inner}</body></html>'
    assert check(page, f"{name}.html") == []
    assert len(gzip.compress(inner.encode())) <= LARGEST
    for one in steps:
        seen = spaced(f"{text(Markup(one.says))} {text(one.body)}")
        for figure in one.numbers:
            entry = data.figures[figure]
            assert shown(entry["value"], entry["digits"]) in seen, f"{one.id} does not print {figure}"
    prediction = view_of(name).prediction
    assert prediction is not None
    assert [option.right for option in prediction.options].count(True) == 1
    assert prediction.before in {one.id for one in steps[1:]}
