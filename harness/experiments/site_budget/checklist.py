"""What works with scripting off: a list of promises, each asked of every page it concerns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from harness.experiments.site_budget.visit import Visit

Pages = Mapping[str, Visit]


@dataclass(frozen=True)
class Promise:
    """Something a page does without script: ``concerns`` says of which pages, ``holds`` whether one keeps it."""

    id: str
    says: str
    concerns: Callable[[Visit], bool]
    holds: Callable[[Visit, Pages], bool]


def reachable(pages: Pages) -> set[str]:
    """The pages that links lead to from the home page, over any number of steps."""
    found, ahead = {"index.html"}, ["index.html"]
    while ahead:
        for path in pages[ahead.pop()].plain["links"]:
            if path in pages and path not in found:
                found.add(path)
                ahead.append(path)
    return found


def _numbers(page: Visit, pages: Pages) -> bool:
    targets = (url.partition("#") for url in page.plain["numbers"])
    return all(path in pages and ident in pages[path].plain["ids"] for path, _, ident in targets)


def _search(page: Visit, pages: Pages) -> bool:
    listed = set(page.plain["links"])
    named = {path for path in pages if path.startswith(("concepts/", "data/")) and path.count("/") == 2}
    return page.plain["told"] and named <= listed


PROMISES = (
    Promise(
        "states",
        "Every state of every walkthrough is shown",
        lambda page: page.plain["states"] > 0,
        lambda page, _: page.plain["states_shown"] == page.plain["states"],
    ),
    Promise(
        "numbers",
        "Every number leads to its row on a data page",
        lambda page: bool(page.plain["numbers"]),
        _numbers,
    ),
    Promise(
        "metrics",
        "Every metric named leads to its panel on the same page",
        lambda page: bool(page.plain["metrics"]),
        lambda page, _: set(page.plain["metrics"]) <= set(page.plain["ids"]),
    ),
    Promise(
        "questions",
        "Every option of a question opens to its reason",
        lambda page: page.plain["options"] > 0,
        lambda page, _: page.plain["options"] == page.plain["reasons"],
    ),
    Promise(
        "reachable",
        "Links lead here from the home page",
        lambda page: True,
        lambda page, pages: page.path in reachable(pages),
    ),
    Promise(
        "search",
        "Search says that it needs script and lists every concept and dataset",
        lambda page: page.path == "search/index.html",
        _search,
    ),
    Promise(
        "theme",
        "Light or dark follows the system",
        lambda page: True,
        lambda page, _: page.plain["background"] != page.dark,
    ),
    Promise(
        "controls",
        "No control is shown that would do nothing",
        lambda page: True,
        lambda page, _: page.plain["controls"] == 0,
    ),
)


def kept(pages: Pages) -> list[dict[str, str | int]]:
    """Every promise with the number of pages it concerns, of those that keep it, and the first that does not."""
    rows: list[dict[str, str | int]] = []
    for promise in PROMISES:
        concerned = [page for page in pages.values() if promise.concerns(page)]
        broken = [page.path for page in concerned if not promise.holds(page, pages)]
        rows.append(
            {
                "id": promise.id,
                "says": promise.says,
                "pages": len(concerned),
                "kept": len(concerned) - len(broken),
                "first_broken": broken[0] if broken else "",
            }
        )
    return rows
