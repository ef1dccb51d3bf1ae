"""How a search walks an HNSW graph: one question opening by opening, then a longer list, another question, and all.

The graph is the capture's own. What a step shows is read off the captured openings; nothing is computed here but
the order of captured distances.
"""

from __future__ import annotations

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.chart import Axis, Series, line_chart
from render.views.kinds.graph import KIND
from render.views.kit import Cell, Col, excerpt, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough
from render.walkthroughs._hnsw_walk import Walk


def _steps(dataset: Dataset) -> list[Step]:
    few, many, other = Walk(dataset, 0, 0), Walk(dataset, 0, 1), Walk(dataset, 1, 0)
    return [
        _whole(dataset, few),
        _descent(few),
        _arrive(few),
        _middle(few),
        _stop(few),
        _missed(dataset, few),
        _wider(few, many),
        _other(other),
        _questions(dataset),
    ]


def _quote(walk: Walk) -> Markup:
    return Markup('<blockquote><p>{}</p></blockquote><p class="note-inline">Chosen by a rule: {}.</p>').format(
        walk.question["question"], walk.question["why"]
    )


def _whole(dataset: Dataset, walk: Walk) -> Step:
    n, spent = dataset.at("/result/population/sample"), walk.row["distances"]
    says = (
        f"Of {number_text(n)} vectors the search measured {number_text(spent)} and opened {walk.row['opened']}. It "
        f"found {walk.row['hits']} of the ten that brute force finds. The list holds {walk.ef} places."
    )
    end = len(walk.openings)
    drawing = walk.drawing(
        end, title="The whole walk", beside=walk.opened(end), exact=True,
        desc="A few nodes on the upper layers, then openings on layer zero that close in on the question.",
    )  # fmt: skip
    numbers = (f"{walk.figure}_hits", f"{walk.figure}_distances")
    return Step("walk", "Most vectors are never looked at", says, _quote(walk) + drawing, numbers)


def _descent(walk: Walk) -> Step:
    first, last = walk.openings[0], walk.openings[walk.above - 1]
    says = (
        f"The search enters at the only node that it knows, on layer {first['layer']}, at distance "
        f"{number_text(walk.distance[first['node']], 4)}. On each layer it moves to the nearest link until none is "
        f"nearer, then goes down. {walk.above} openings bring it to {number_text(walk.distance[last['node']], 4)}."
    )
    drawing = walk.drawing(
        walk.above, title="The descent", beside=walk.opened(walk.above),
        desc="The nodes opened on the layers above zero; none is farther from the question than the one before.",
    )  # fmt: skip
    return Step("descent", "The upper layers only find the neighbourhood", says, drawing)


def _arrive(walk: Walk) -> Step:
    at = walk.above + 1
    one = walk.openings[at - 1]
    says = (
        f"On layer zero the node opened has links to {len(one['measured'])} nodes. All are measured in turn, and "
        f"{len(one['kept'])} enter the list; where it is full, the worst goes. {one['length']} of {walk.ef} places are "
        "taken, the node itself included."
    )
    drawing = walk.drawing(
        at, title="The first opening on layer zero", beside=walk.opened(at, start=walk.above),
        desc="The first node of layer zero with its links.",
    )  # fmt: skip
    return Step("list", "At the bottom it keeps a list", says, drawing)


def _middle(walk: Walk) -> Step:
    at = walk.above + max(2, (len(walk.openings) - walk.above) // 2)
    one = walk.openings[at - 1]
    says = (
        f"Again and again the nearest unopened node of the list is opened. This one gave {len(one['measured'])} new "
        f"distances, of which {len(one['kept'])} entered the list. Its worst entry now lies at "
        f"{number_text(one['worst'], 4)}."
    )
    drawing = walk.drawing(
        at, title="Half of the way on layer zero", beside=walk.opened(at, start=walk.above),
        desc="Opened nodes, the list's unopened ones, and nodes that were measured and left.",
    )  # fmt: skip
    return Step("middle", "Each opening may push out the worst", says, drawing)


def _stop(walk: Walk) -> Step:
    end, rest = len(walk.openings), walk.row["unopened"]
    says = f"The list is full and its worst entry lies at {number_text(walk.row['worst'], 4)}. " + (
        f"The nearest node that is still unopened lies at {number_text(rest['distance'], 4)}, which is farther. "
        "The search stops, though nodes that it never measured may be nearer."
        if rest
        else "No unopened node is left, so the search stops."
    )
    drawing = walk.drawing(
        end, title="Where the search stops", beside=walk.opened(end, start=walk.above),
        desc="All openings on layer zero; every node of the list is opened.",
    )  # fmt: skip
    return Step("stop", "It stops when nothing unopened beats the list", says, drawing)


def _missed(dataset: Dataset, walk: Walk) -> Step:
    missed = [node for node in walk.question["exact"] if node not in walk.row["list"][:10]]
    says = (
        f"Brute force finds ten; {walk.row['hits']} of them are in the list. The other {len(missed)} were never "
        "measured: no node that the search opened has a link to one of them. Had one been measured, it would have "
        "kept its place."
    )
    drawing = walk.drawing(
        len(walk.openings), title="Found and missed", beside=walk.truth(), exact=True,
        desc="The ten nearest by brute force, those found and those missed.",
    )  # fmt: skip
    passages = {row["id"]: row for row in dataset.at("/result/passages")}
    source = passages.get(walk.name(missed[0])) if missed else None
    if source:
        where = f"the nearest that was missed, distance {number_text(walk.distance[missed[0]], 4)}"
        drawing += excerpt(
            source["excerpt"], title=source["title"], url=source["url"], licence=source["licence"], place=where
        )
    return Step("missed", "What the walk did not find", says, drawing, (f"{walk.figure}_hits",))


def _wider(few: Walk, many: Walk) -> Step:
    says = (
        f"The same question with {many.ef} places instead of {few.ef}: the search goes on past the point where it "
        f"stopped. It measures {number_text(many.row['distances'])} vectors instead of "
        f"{number_text(few.row['distances'])} and finds {many.row['hits']} of ten instead of {few.row['hits']}."
    )
    drawing = many.drawing(
        len(many.openings), title=f"The walk with {many.ef} places", beside=many.truth(), exact=True,
        desc="More of layer zero is opened, and more of the nearest ten are found.",
    )  # fmt: skip
    numbers = tuple(f"{walk.figure}_{what}" for walk in (many, few) for what in ("hits", "distances"))
    return Step("wider", "A longer list walks on", says, drawing, numbers)


def _other(walk: Walk) -> Step:
    says = (
        f"Another question, again with {walk.ef} places: {walk.row['hits']} of ten for "
        f"{number_text(walk.row['distances'])} distances. How long a list a question needs cannot be seen from outside."
    )
    drawing = walk.drawing(
        len(walk.openings), title="A question that a short list answers", beside=walk.truth(), exact=True,
        desc="A short walk that meets all or most of the nearest ten.",
    )  # fmt: skip
    numbers = (f"{walk.figure}_hits", f"{walk.figure}_distances")
    return Step("other", "Another question is easier", says, _quote(walk) + drawing, numbers)


def _questions(dataset: Dataset) -> Step:
    by_ef = dataset.at("/result/by_ef")
    n = dataset.at("/result/population/queries")
    drawing = line_chart(
        [
            Series("brute force", [(row["ef"], 1.0) for row in by_ef], "exact"),
            Series("graph, mean of the builds", [(row["ef"], row["recall"]) for row in by_ef], "approx"),
        ],
        title="Recall@10 against brute force, all questions",
        desc="Recall rises with the length of the list.",
        x=Axis("ef (logarithmic)", log=True),
        y=Axis("recall@10", 3, high=1),
    )
    rows: list[list[Cell]] = [
        [row["ef"], row["recall"], row["low"], row["high"], row["distances"], row["share"]] for row in by_ef
    ]
    columns: list[str | Col] = [
        Col("ef", numeric=True), Col("recall@10", 3), Col("low", 3), Col("high", 3), Col("distances, mean", 0),
        Col("share of all vectors", 2),
    ]  # fmt: skip
    body = drawing + table(columns, rows, title="Recall and work by the length of the list", note="95% intervals.")
    first, last = by_ef[0], by_ef[-1]
    says = (
        f"Over {n} questions mean recall@10 rises from {number_text(first['recall'], 3)} at ef {first['ef']} to "
        f"{number_text(last['recall'], 3)} at ef {last['ef']}, and the distances from "
        f"{number_text(first['distances'], 0)} to {number_text(last['distances'], 0)} a search."
    )
    names = tuple(f"{kind}_ef{row['ef']}" for row in by_ef for kind in ("recall", "distances"))
    return Step("questions", "Over all questions", says, body, names)


WALKTHROUGH = Walkthrough(
    dataset="hnsw_walk",
    id="hnsw-walk",
    kind=KIND,
    title="How does a search find near vectors without looking at all?",
    intro=(
        "One real question in a graph over a sample of real passages. Places on the page are the first two principal "
        "components, which hold little of the variance: near on the page is not near. Distances stand in the table."
    ),
    steps=_steps,
    prediction=Prediction(
        before="stop",
        ask="The list is full. When may the search stop?",
        options=(
            Option("When it has measured every vector", False, "That would be brute force."),
            Option(
                "When the nearest unopened node is farther than the worst of the list",
                True,
                "Then no unopened node that it knows could enter the list. One that it does not know still might.",
            ),
            Option("When it meets the nearest vector", False, "It cannot know that this is the nearest one."),
        ),
    ),
)
