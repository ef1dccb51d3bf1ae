"""What a browser builds of a panel in a paragraph, beside what the tags say: dataset ``nesting``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.reading.source import Dataset
from render.views.kinds import stepper
from render.views.kit import Bar, Cell, bars, data, pair, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

Case = Mapping[str, Any]


def steps(dataset: Dataset) -> list[Step]:
    """Seven states: one document, how its tree comes about, another parser, a scope, the parsed page, the remedy."""
    result, versions = dataset.result, dataset.params
    cases = {case["id"]: case for case in result["cases"]}
    summary, traced = result["summary"], result["traced"]["tokens"]
    case = cases[result["traced"]["id"]]
    shielded, mended = cases["button-div"], cases["panel-outside"]
    return [
        Step(
            "trees",
            "The tags say one tree, the browser builds another",
            "The paragraph ends before the panel. “fell.” then stands in no paragraph, and the last </p> makes an "
            "empty one.",
            _source(case) + _written_and_built(case) + _chromium(case, versions["chromium"]),
        ),
        Step(
            "start-tag",
            "At the start tag the open paragraph is closed",
            "After <dialog> the parser has put the panel beside the paragraph. There was no </p> in the source: it "
            "was implied.",
            _trace(traced, "<dialog>"),
        ),
        Step(
            "end-tag",
            "At </p> no paragraph is open any more",
            "The text after the panel lands in the body. The end tag of the author now closes nothing, and the "
            "parser makes an empty paragraph for it.",
            _trace(traced, "</p>"),
        ),
        Step(
            "html5lib",
            f"html5lib {versions['html5lib']} builds what was written",
            "Its list of elements that close a paragraph lacks dialog and search. On every other document of the "
            "paragraph group it builds what turbohtml builds.",
            _source(case) + _parsers(case, versions) + _paragraph_group(result["cases"]),
        ),
        Step(
            "scope",
            "Behind a button the paragraph is out of reach",
            "A block that would close the paragraph is left where it stands, because the search for an open "
            "paragraph stops at the button. The content model still forbids it: the guard says non-conforming, not "
            "unstable.",
            _source(shielded) + _written_and_built(shielded) + _verdict(shielded),
        ),
        Step(
            "parsed",
            "Once parsed, the mistake is gone",
            f"Of {summary['unstable']} documents that are unstable as source the guard finds "
            f"{summary['unstable_after']} after a parser has read them and written them out. Of "
            f"{summary['non_conforming']} that only break the content model it finds "
            f"{summary['non_conforming_after']}.",
            _before_and_after(summary),
            ("unstable", "unstable_after", "non_conforming", "non_conforming_after"),
        ),
        Step(
            "mended",
            "The panel outside the paragraph",
            "A link stays in the sentence, the panel follows the paragraph. Both trees are the same, and the guard "
            "finds nothing.",
            _source(mended) + _written_and_built(mended) + _verdict(mended),
        ),
    ]


def _source(case: Case) -> Markup:
    return _block(case["html"], "The source")


def _block(text: str, title: str) -> Markup:
    return Markup(
        '<div><p class="pair-title">{0}</p>'
        '<pre tabindex="0" role="region" aria-label="{0}"><code>{1}</code></pre></div>'
    ).format(title, text)


def _written_and_built(case: Case) -> Markup:
    written, built = case["written_tree"], case["browser_tree"]
    return pair(
        _tree(written, built, "The tree as written"), _tree(built, written, "The tree as built"), titles=("", "")
    )


def _parsers(case: Case, versions: Mapping[str, str]) -> Markup:
    ours, other = case["browser_tree"], case["html5lib_tree"]
    left = _tree(other, ours, f"html5lib {versions['html5lib']}")
    return pair(left, _tree(ours, other, f"turbohtml {versions['turbohtml']}"), titles=("", ""))


def _tree(lines: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]], title: str) -> Markup:
    """A tree indented by depth; a line that the other tree has not at that place is marked with an arrow."""
    elsewhere = set(_places(other))
    shown = []
    for node, place in zip(lines, _places(lines), strict=True):
        text = Markup("{}{}").format("  " * node["depth"], node["node"])
        shown.append(text if place in elsewhere else Markup("<strong>{}  ◂</strong>").format(text))
    marked = " (◂ not so in the other tree)" if any(place not in elsewhere for place in _places(lines)) else ""
    return _block(Markup("\n").join(shown), f"{title}{marked}")


def _places(lines: Sequence[Mapping[str, Any]]) -> list[tuple[str, ...]]:
    """Every line with its ancestors: where a node is, told apart from the same node elsewhere."""
    path: list[str] = []
    places = []
    for number, node in enumerate(lines):
        path = [*path[: node["depth"]], node["node"]]
        empty = number + 1 == len(lines) or lines[number + 1]["depth"] <= node["depth"]
        places.append((*path, "empty") if empty else tuple(path))
    return places


def _chromium(case: Case, version: str) -> Markup:
    same = "the same tree as turbohtml" if case["chromium_equal"] else "another tree than turbohtml"
    return Markup('<p class="note-inline">Chromium {} builds {}.</p>').format(version, same)


def _trace(tokens: Sequence[Mapping[str, str]], last: str) -> Markup:
    upto = next(number for number, entry in enumerate(tokens) if entry["token"] == last)
    rows: list[list[Cell]] = [
        [_code(entry["token"]), _code(entry["browser"]), _code(entry["html5lib"])] for entry in tokens[: upto + 1]
    ]
    on = ["is-on" if number == upto else "" for number in range(len(rows))]
    columns = ["up to", "turbohtml", "html5lib"]
    note = "The body of the page cut off after each token; name[children]."
    return table(columns, rows, title="The tree after each token", note=note, row_classes=on)


def _code(text: str) -> Markup:
    return Markup("<code>{}</code>").format(text)


def _paragraph_group(cases: Sequence[Case]) -> Markup:
    """The elements put into paragraphs, from the inside out, by whether html5lib and turbohtml build one tree."""
    rows: list[list[Cell]] = []
    for word, equal in (("the same tree", True), ("another tree", False)):
        group = [case["id"] for case in cases if case["group"] == "paragraph" and case["html5lib_equal"] is equal]
        rows.append([word, Markup(", ").join(_code(" in ".join(reversed(name.split("-")))) for name in group)])
    return table(["html5lib and turbohtml build", "of"], rows, title="The paragraph group")


def _verdict(case: Case) -> Markup:
    rules = Markup(" (<code>{}</code>)").format(case["rules"]) if case["rules"] else Markup("")
    note = Markup('<p class="note-inline">{}</p>').format(case["note"]) if case["note"] else Markup("")
    title = Markup('<p class="pair-title">The guard on the source: {}{}</p>').format(case["verdict"], rules)
    return Markup("<div>{}{}</div>").format(title, note)


def _before_and_after(summary: Mapping[str, int]) -> Markup:
    top = max(summary["unstable"], summary["non_conforming"])

    def found(unstable: int, model: int, title: str) -> Markup:
        entries = [Bar("unstable", unstable, "exact"), Bar("non-conforming", model, "exact")]
        return bars(entries, title=title, digits=0, maximum=top)

    before = found(summary["unstable"], summary["non_conforming"], "Found in the source")
    after = found(summary["unstable_after"], summary["non_conforming_after"], "Found again once parsed and written out")
    total = Markup('<p class="note-inline">{} documents in all; in {} the guard finds nothing.</p>')
    return pair(before, after, titles=("", "")) + total.format(data(summary["cases"]), data(summary["clean"]))


WALKTHROUGH = Walkthrough(
    dataset="nesting",
    kind=stepper.KIND,
    id="nesting",
    title="What does a browser build of a panel in a paragraph?",
    intro="One paragraph with a dialog in it, as an author would write it to explain a word.",
    steps=steps,
    prediction=Prediction(
        before="scope",
        ask="Put a button between the paragraph and the block: <p><button>…<div>…</div></button></p>. What happens?",
        options=(
            Option("The paragraph closes before the div", False, "That would need a paragraph in button scope."),
            Option(
                "The tree stays as written",
                True,
                "The parser looks for an open paragraph only as far as the nearest button, and there is none.",
            ),
            Option("The button closes before the div", False, "Only another button's start tag closes a button."),
        ),
    ),
)
