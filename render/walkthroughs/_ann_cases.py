"""Steps of `ann_postfilter` that show one captured search in full: its slots, its readers, its exact control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.views.chart import Axis, Series, line_chart, scatter
from render.views.kit import Cell, Col, Slot, arithmetic, data, excerpt, legend, mark, pair, shape, slots, stats, table
from render.views.walkthrough import Step

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
    places = len(case["slots"])
    permitted = sum(slot["permitted"] for slot in case["slots"])
    says = (
        f"The reader may see the tenant {', '.join(case['tenants'])}; the question is about {case['query']['tenant']}. "
        f"The index filled its list of {places} without knowing that, the policy dropped {places - permitted}, and "
        "nothing filled the gaps."
    )
    title = "Almost every candidate was dropped" if permitted else "Every candidate belonged to someone else"
    return Step("nothing", title, says, _search(case))


def _search(case: Case) -> Markup:
    """Question, candidate list, and what came of it beside the exact search: ten places each."""
    place = {slot["id"]: slot["slot"] for slot in case["slots"]}
    kept = [Slot("permitted", f"{row['id']} (candidate {place[row['id']]})") for row in case["returned"]]
    places = max(len(case["exact"]), len(kept))
    exact = [Slot("exact", row["id"] + (f" (candidate {row['slot']})" if row["slot"] else "")) for row in case["exact"]]
    found = sum(row["slot"] is not None for row in case["exact"])
    return (
        Markup(
            "<blockquote><p>{}</p></blockquote>"
            '<p class="note-inline">Chosen from all questions by a rule, each part of which narrows the choice: {}.</p>'
        ).format(case["query"]["question"], case["rule"])
        + _candidates(case)
        + pair(
            slots(kept + [Slot("empty")] * (places - len(kept)), title="Returned"),
            slots(exact, title="Exact search, same policy", note=f"{found} of {len(exact)} were among the candidates."),
            titles=(mark("approx", "index, then policy"), mark("exact", "every permitted row compared")),
        )
    )


def distance(case: Case, sources: Mapping[str, Mapping[str, str]]) -> Step:
    """Candidates and exact rows over one axis: why no permitted row was in the list."""
    dropped = [(s["distance"], s["slot"]) for s in case["slots"] if not s["permitted"]]
    kept = [(s["distance"], s["slot"]) for s in case["slots"] if s["permitted"]]
    series = [Series("candidate, discarded", dropped, "discarded")]
    series += [Series("candidate, permitted", kept, "permitted")] if kept else []
    series.append(Series("exact search, permitted", [(row["distance"], row["rank"]) for row in case["exact"]], "exact"))
    nearest = case["exact"][0]
    last, first = case["slots"][-1]["distance"], nearest["distance"]
    drawing = scatter(
        series,
        title="Both lists on one scale of distance",
        desc="The candidates of the index stand to the left, the rows that the reader may see to the right of them.",
        x=Axis("cosine distance to the question", 3),
        y=Axis("place in its list", 0, low=0),
    )
    source = sources[nearest["doc"]]
    passage = excerpt(
        nearest["excerpt"], title=source["title"], url=source["url"], licence=source["licence"],
        place=f"the nearest row that the reader may see, distance {number_text(first, 4)}", role="exact",
    )  # fmt: skip
    says = (
        f"The farthest candidate lies at {number_text(last, 4)}, the nearest row that the reader may see at "
        f"{number_text(first, 4)}. "
    )
    if first <= last:
        return Step("distance", "Most permitted rows lie beyond the list", says, drawing + passage)
    gap = arithmetic(
        Markup("{} beyond the end of the list").format(data(first - last, 4)),
        f"{number_text(first, 4)} − {number_text(last, 4)}",
    )
    says += (
        "The list was full before the search reached it. Near is not yet relevant: what is counted here is what the "
        "exact search returns, whether or not it answers the question."
    )
    return Step("distance", "The first permitted row lies beyond the list", says, drawing + gap + passage)


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
    """A home question: some candidates stay, some of the exact ten are missing; without the policy few are."""
    ef = case["ef_search"]
    permitted = sum(slot["permitted"] for slot in case["slots"])
    under, free = (next(e for e in c["by_ef"] if e["ef_search"] == ef) for c in (case, control))
    facts = stats(
        [
            ("recall@10 under the policy", data(under["recall"], 2), "approx"),
            ("recall@10, every tenant visible", data(free["recall"], 2), "exact"),
        ]
    )
    says = (
        f"The reader of {', '.join(case['tenants'])} asks about {case['query']['tenant']} itself. "
        f"{permitted} of {len(case['slots'])} candidates stay, and {number_text(under['recall'] * 10, 0)} of the exact "
        "ten are among them. This question stands in the middle; others lose nothing, or everything. A short list does "
        "not look wrong; it looks like a short answer."
    )
    return Step("home", "At home some are left", says, _search(case) + facts)


def dial(away: Case, home: Case, k: int) -> Step:
    pairs = list(zip(away["by_ef"], home["by_ef"], strict=True))
    drawing = line_chart(
        [
            Series("exact search", [(a["ef_search"], k) for a, _ in pairs], "exact"),
            Series("home question", [(h["ef_search"], h["returned"]) for _, h in pairs]),
            Series("away question", [(a["ef_search"], a["returned"]) for a, _ in pairs]),
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


def _candidates(case: Case) -> Markup:
    """The candidate list, nearest first, each place with the tenant of its row."""
    boxes = Markup("").join(
        Markup('<li class="slot {}"><span class="slot-n"><span>{}</span>{}</span><span>{}</span></li>').format(
            state, slot["slot"], shape(state), slot["tenant"]
        )
        for slot in case["slots"]
        for state in ("permitted" if slot["permitted"] else "discarded",)
    )
    kept = sum(slot["permitted"] for slot in case["slots"])
    counts = Markup("<li>{} {}</li><li>{} {}</li>").format(
        mark("permitted"), data(kept), mark("discarded"), data(len(case["slots"]) - kept)
    )
    return Markup(
        '<figure class="slots"><p class="pair-title">The candidate list, nearest first, each with its tenant</p>'
        '<ol class="slot-list slot-list--tight">{}</ol><ul class="legend" aria-label="Count of each">{}</ul></figure>'
    ).format(boxes, counts)


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
