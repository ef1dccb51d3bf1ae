"""A small dataset with something for every view to draw, and a scope whose names mean parts of it. Made up."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from checks.problems import Problem
from provenance.state import State
from render.pages.renderer import Renderer, environment, site_of
from render.reading.library import Library
from render.reading.source import Config, Dataset
from render.text.scope import Scope
from render.views.selecting import Bindings

ROOT = Path(__file__).resolve().parents[2]
PLAN = [
    "Limit (actual rows=2 loops=1)",
    "  ->  Index Scan using made_hnsw on chunks (actual rows=2 loops=1)",
    "        Filter: (tenant = ANY (visible))",
    "        Rows Removed by Filter: 6",
]
RESULT: dict[str, Any] = {
    "rows": [
        {"way": "after", "role": "approx", "recall": 0.4125, "interval": [0.38, 0.45], "n": 240, "told": True},
        {"way": "before", "role": "exact", "recall": 0.98125, "interval": [0.97, 0.99], "n": 240, "told": False},
        {"way": "never", "role": "", "recall": None, "interval": [0.0, 0.0], "n": 0, "told": False},
    ],
    "case": {
        "question": "Who may see *this*?",
        "found": [
            {"id": "a:1", "rank": 1, "was": 3, "score": 0.75, "visible": True},
            {"id": "b:2", "rank": 2, "was": 1, "score": 0.5, "visible": False},
            {"id": "c:3", "rank": 3, "was": 3, "score": 0.25, "visible": True},
        ],
        "missing": 2,
        "codes": [7, 11],
        "parts": [0.25, -0.125],
        "passage": {"excerpt": "A rule.", "title": "RFC 1", "url": "https://example.org/1", "licence": "free"},
    },
    "by_reader": {"one": {"short": 3}, "all": {"short": 0}},
    "axes": {"k": [1, 10], "b": [0, 0.5]},
    "grid": [{"k": k, "b": b, "mrr": round(0.1 * k + b / 10, 3)} for k in (1, 10) for b in (0, 0.5)],
    "plan": PLAN,
    "spans": [
        {"doc": "one", "state": "ok", "status": 200},
        {"doc": "two", "state": "refused", "status": 429},
        {"doc": "two", "state": "ok", "status": 200},
    ],
    "times": [[0.0, 0.5], [0.1, 0.2], [1.5, 2.0]],
}
WORDS: dict[str, Any] = {
    "way": {"after": "filtered *after*", "before": "filtered before", "never": {"text": "no filter", "mark": "dense"}},
    "seen": [{"when": "visible", "text": "permitted"}, {"text": "discarded"}],
    "told": {"true": "yes", "false": "{at}`n` times no"},
    "nodes": {"Limit": "stops after ten rows"},
}
NAMES = {"case": "/result/case", "found": "case/found", "after": "/result/rows[way=after]"}


@cache
def library() -> Library:
    """A library of the one dataset ``made``."""
    data = {
        "name": "made",
        "title": "Made up",
        "params": {"k": 10},
        "result": RESULT,
        "figures": {"recall": {"value": 0.4125, "digits": 3, "unit": "share", "label": "recall", "n": 240}},
    }
    made = Dataset("made", "data/interactive/made.json", data, b"{}", State("fresh", (), "fresh"))
    return Library(Config("site.yml", "T", "t", "", "1", (), "", "", (), ""), {}, {}, {}, {"made": made})


def bindings() -> Bindings:
    """The names at hand."""
    bare = Bindings(library(), library().datasets["made"], NAMES, WORDS)
    return bare.bind("k", bare.node("/result/axes/k/1")).bind("b", bare.node("/result/axes/b/0"))


def scope(*, inside: bool = True) -> Scope:
    """A fresh page; ``inside`` a walkthrough of the dataset, or outside any."""
    renderer = Renderer(library(), environment(ROOT / "templates"), site_of(library()))
    fresh = renderer.scope("case.md", "concepts/case/index.html")
    return fresh.bound_to(bindings()) if inside else fresh


def told(problems: list[Problem]) -> list[str]:
    """The problems as a reader of the build sees them."""
    return [f"{one.line}: [{one.rule}] {one.message}" for one in problems]
