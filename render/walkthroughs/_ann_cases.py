"""Steps of `ann_postfilter` that show one captured search in full: its slots, its readers, its exact control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.chart import Axis, Series, line_chart, scatter
from render.kit import Cell, Col, Rank, Slot, arithmetic, data, legend, mark, pair, rank_list, slots, stats, table
from render.numbers import number_text
from render.walkthrough import Step

Case = Mapping[str, Any]


def reader(cell: str) -> str:
    """A cell in words: "home3" becomes "3 tenants, home", "all" becomes "all tenants"."""
    if cell == "all":
        return "all tenants"
    mode = cell.rstrip("0123456789")
    size = cell.removeprefix(mode)
    return f"{size} tenant{'' if size == '1' else 's'}, {mode}"


def nothing(case: Case) -> Step:
    """The first view answers the question: every slot is taken, none of them by a row the reader may see."""
    kept, places = len(case["returned"]), len(case["slots"])
    permitted = sum(slot["permitted"] for slot in case["slots"])
    who, about = ", ".join(case["tenants"]), case["query"]["tenant"]
    body = (
        Markup("<blockquote><p>{}</p></blockquote>").format(case["query"]["question"])
        + stats(
            [
                ("candidates of the index", data(places), "approx"),
                ("dropped by the policy", data(places - permitted), "discarded"),
                ("rows returned", data(kept), "permitted"),
                ("rows of the exact search", data(len(case["exact"])), "exact"),
            ]
        )
        + pair(
            slots(_boxes(case), title="The candidate list, nearest first", note="Each box names the row's tenant."),
            _exact_list(case),
            titles=(mark("approx", "index, then policy"), mark("exact", "every permitted row compared")),
        )
    )
    says = (
        f"The reader may see the tenant {who}; the question is about {about}. The index filled its list of "
        f"{places} without knowing that, the policy dropped {places - permitted}, and nothing filled the gaps."
    )
    title = "Every candidate belonged to someone else" if not permitted else "Almost every candidate was dropped"
    return Step("nothing", title, says, body)


def distance(case: Case) -> Step:
    dropped = [(s["distance"], s["slot"]) for s in case["slots"] if not s["permitted"]]
    kept = [(s["distance"], s["slot"]) for s in case["slots"] if s["permitted"]]
    exact = [(row["distance"], row["rank"]) for row in case["exact"]]
    series = [Series("candidate, discarded", dropped, "discarded")]
    series += [Series("candidate, permitted", kept, "permitted")] if kept else []
    series.append(Series("exact search, permitted rows", exact, "exact"))
    last, first = case["slots"][-1]["distance"], case["exact"][0]["distance"]
    drawing = scatter(
        series,
        title="Both lists on one scale of distance",
        desc="The candidates of the index stand to the left, the rows that the reader may see to the right of them.",
        x=Axis("cosine distance to the question", 2),
        y=Axis("place in its list", 0, low=0),
    )
    gap = arithmetic(
        Markup("{} farther").format(data(first - last, 4)), f"{number_text(first, 4)} − {number_text(last, 4)}"
    )
    farther = first > last
    says = (
        f"The farthest candidate lies at {number_text(last, 4)}, the nearest row that the reader may see at "
        f"{number_text(first, 4)}. "
        + ("The list was full before the search came to it." if farther else "The walk through the graph missed it.")
    )
    title = "The first permitted row lies beyond the list" if farther else "A permitted row was near, and was missed"
    return Step("distance", title, says, drawing + gap)


def readers(case: Case) -> Step:
    """One candidate list, read by every kind of reader: the list does not depend on who asks."""
    ef = case["ef_search"]
    rows: list[list[Cell]] = []
    for role in sorted(case["roles"], key=lambda r: (r["cell"] == "all", r["cell"].startswith("home"))):
        permitted = [slot["tenant"] in role["tenants"] for slot in case["slots"]]
        at = next(entry for entry in role["by_ef"] if entry["ef_search"] == ef)
        rows.append([reader(role["cell"]), _strip(permitted), sum(permitted), at["returned"], at["recall"]])
    body = legend(["permitted", "discarded"]) + table(
        ["reader", "the same candidates", Col("permitted", numeric=True), Col("returned", numeric=True),
         Col("recall@10", 2)],
        rows,
        title="One question, one candidate list, other readers",
        note="Home: the reader may see the tenant that the question is about. Recall is against the exact search of "
        "the same reader.",
    )  # fmt: skip
    says = (
        "The list does not change with the reader, only what is struck from it. The last row is the control: "
        "with every tenant visible nothing is dropped."
    )
    return Step("readers", "The same list under other permissions", says, body)


def home(case: Case, control: Case) -> Step:
    ef = case["ef_search"]
    permitted = sum(slot["permitted"] for slot in case["slots"])
    under, free = (next(e for e in c["by_ef"] if e["ef_search"] == ef) for c in (case, control))
    body = (
        Markup("<blockquote><p>{}</p></blockquote>").format(case["query"]["question"])
        + stats(
            [
                ("recall@10 under the policy", data(under["recall"], 2), "approx"),
                ("recall@10, everything visible", data(free["recall"], 2), "exact"),
                ("candidates permitted", data(permitted), "permitted"),
            ]
        )
        + pair(
            slots(_boxes(case), title="The candidate list, nearest first", note="Each box names the row's tenant."),
            _exact_list(case),
            titles=(mark("approx", "index, then policy"), mark("exact", "every permitted row compared")),
        )
    )
    says = (
        f"The reader of {', '.join(case['tenants'])} asks about {case['query']['tenant']} itself. "
        f"{permitted} of {len(case['slots'])} candidates stay, and {number_text(under['recall'] * 10, 0)} of the exact "
        "ten are among them. A short list does not look wrong; it looks like a short answer."
    )
    return Step("home", "At home some are left", says, body)


def dial(away: Case, home: Case, k: int) -> Step:
    pairs = list(zip(away["by_ef"], home["by_ef"], strict=True))
    drawing = line_chart(
        [
            Series("exact search", [(a["ef_search"], k) for a, _ in pairs], "exact"),
            Series("home question", [(h["ef_search"], h["returned"]) for _, h in pairs], "permitted"),
            Series("away question", [(a["ef_search"], a["returned"]) for a, _ in pairs], "discarded"),
        ],
        title="Rows returned, by ef_search",
        desc="Rows returned for the home and the away question as the candidate list grows, beside exact search.",
        x=Axis("ef_search (logarithmic)", log=True),
        y=Axis("rows returned", 0, low=0, high=k),
    )
    rows: list[list[Cell]] = [
        [a["ef_search"], a["permitted"], a["returned"], a["recall"], h["permitted"], h["returned"], h["recall"]]
        for a, h in pairs
    ]
    columns = [Col("ef_search", numeric=True)]
    for kind in ("away", "home"):
        columns += [Col(f"{kind}: permitted", numeric=True), Col(f"{kind}: returned", numeric=True)]
        columns.append(Col(f"{kind}: recall@10", 2))
    on = ["is-on" if a["ef_search"] == away["ef_search"] else "" for a, _ in pairs]
    body = drawing + table(columns, rows, title="The two questions at every ef_search", row_classes=on)
    first = next((a["ef_search"] for a, _ in pairs if a["returned"]), None)
    full = next((a["ef_search"] for a, _ in pairs if a["returned"] == k), None)
    says = (
        f"A longer list reaches farther. The away question gets its first row at {_at(first)} "
        f"and all {k} at {_at(full)}."
    )
    return Step("dial", "A longer list buys rows back", says, body)


def _at(ef: int | None) -> str:
    return f"ef_search {ef}" if ef else "no setting measured"


def _boxes(case: Case) -> list[Slot]:
    return [Slot("permitted" if s["permitted"] else "discarded", s["tenant"]) for s in case["slots"]]


def _exact_list(case: Case) -> Markup:
    """The exact ten with their distances, each with its place in the candidate list or the word that it has none."""
    entries = []
    for row in case["exact"]:
        found = row["slot"] is not None
        note = f"candidate {row['slot']}" if found else "not among the candidates"
        entries.append(Rank(row["rank"], row["id"], data(row["distance"], 4), "exact", note, on=found))
    return rank_list(entries, title="Exact search under the same policy")


def _strip(permitted: Sequence[bool]) -> Markup:
    """A candidate list as a row of cells: filled where permitted, hollow and low where dropped."""
    parts = []
    for place, kept in enumerate(permitted):
        cls, y, height = ("permitted", 1, 14) if kept else ("discarded", 5, 6)
        parts.append(
            Markup('<rect class="fill {}" x="{}" y="{}" width="6" height="{}"></rect>').format(
                cls, 8 * place + 1, y, height
            )
        )
    width = 8 * len(permitted)
    said = f"{sum(permitted)} of {len(permitted)} candidates permitted"
    return Markup(
        '<svg class="cells strip" viewBox="0 0 {w} 16" width="{w}" height="16" role="img" aria-label="{said}">'
        "<title>{said}</title>{inner}</svg>"
    ).format(w=width, said=said, inner=Markup("").join(parts))
