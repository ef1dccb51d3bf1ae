"""The promises of a page without script: each is kept by a page that keeps it and missed where it is broken."""

from __future__ import annotations

from typing import Any

import pytest

from harness.experiments.site_budget.checklist import PROMISES, kept
from harness.experiments.site_budget.visit import Visit

SOUND: dict[str, Any] = {
    "states": 2,
    "states_shown": 2,
    "numbers": ["data/d/index.html#fig-f"],
    "metrics": ["metric-m"],
    "ids": ["metric-m"],
    "options": 3,
    "reasons": 3,
    "controls": 0,
    "links": ["data/d/index.html", "search/index.html"],
    "told": False,
    "background": "white",
}
EMPTY = SOUND | {"states": 0, "states_shown": 0, "numbers": [], "metrics": [], "options": 0, "reasons": 0, "links": []}


def pages(**home: Any) -> dict[str, Visit]:
    """A home page with one of everything, changed in ``home``, a data page and a search page."""
    held = {
        "index.html": SOUND | home,
        "data/d/index.html": EMPTY | {"ids": ["fig-f"]},
        "search/index.html": EMPTY | {"told": True, "links": ["data/d/index.html"]},
    }
    return {path: Visit(path, (path,), 0, plain, "black") for path, plain in held.items()}


def broken(found: dict[str, Visit]) -> dict[str, str]:
    return {str(row["id"]): str(row["first_broken"]) for row in kept(found) if row["first_broken"]}


def test_a_site_that_keeps_every_promise_breaks_none_and_each_is_asked_of_some_page() -> None:
    rows = kept(pages())
    assert [row["id"] for row in rows] == [promise.id for promise in PROMISES]
    assert all(row["pages"] == row["kept"] > 0 for row in rows)


@pytest.mark.parametrize(
    ("promise", "change"),
    [
        ("states", {"states_shown": 1}),
        ("numbers", {"numbers": ["data/d/index.html#fig-gone"]}),
        ("numbers", {"numbers": ["data/gone/index.html#fig-f"]}),
        ("metrics", {"metrics": ["metric-gone"]}),
        ("questions", {"reasons": 2}),
        ("controls", {"controls": 1}),
        ("theme", {"background": "black"}),
    ],
)
def test_each_promise_is_seen_to_be_broken(promise: str, change: dict[str, Any]) -> None:
    assert broken(pages(**change)) == {promise: "index.html"}


def test_a_page_that_no_link_leads_to_and_a_search_page_that_leaves_one_out_are_named() -> None:
    assert broken(pages(links=["search/index.html"])) == {}, "the search page leads there"
    found = pages(links=["search/index.html"])
    found["search/index.html"].plain["links"] = []
    assert broken(found) == {"reachable": "data/d/index.html", "search": "search/index.html"}
