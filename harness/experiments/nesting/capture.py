"""Capture ``nesting``: small documents, the trees that the tags and three parsers make of them, the guard's verdict."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Mapping, Sequence
from typing import Any

import turbohtml

from harness.capture.api import EXACT, Capture, Figure, JsonObject, Payload, Run
from harness.experiments.nesting import chromium, guard, trees
from harness.experiments.nesting.cases import CASES, Case, read_cases

_LABELS = {
    "cases": "documents",
    "no_written_tree": "documents whose tags do not pair up, so that they describe no tree by themselves",
    "reshaped": "documents of which turbohtml builds another tree than the tags describe",
    "unstable": "documents that the guard calls unstable",
    "non_conforming": "documents that the guard finds stable but against the content model",
    "clean": "documents in which the guard finds nothing",
    "agree": "documents on which the guard's unstable and turbohtml's tree say the same",
    "closed_paragraphs": "documents with the guard's rule flow-in-p",
    "chromium_equal": "documents of which Chromium and turbohtml build the same tree",
    "html5lib_differs": "documents of which html5lib builds another tree than turbohtml",
    "html5lib_as_written": "documents that html5lib keeps as written and turbohtml does not",
    "unstable_after": "unstable documents in which the guard finds anything once they were parsed and written out",
    "non_conforming_after": "non-conforming documents in which the guard finds the same rules after that round trip",
}
"""Every count of the summary, with what it counts; each is a figure of that name."""


def capture(run: Run) -> Payload:
    """Every document read by tags, by turbohtml, by html5lib, by the recorded Chromium, and judged by the guard."""
    cases = read_cases()
    version, seen = chromium.recorded(cases)
    run.record_input("documents written for this", CASES, records=len(cases), licence="MIT")
    run.record_input(f"trees of Chromium {version}", chromium.RECORDED, records=len(seen), licence="MIT")
    for path in guard.files():
        run.record_input(f"the guard, {path.name}", path.as_posix(), licence="MIT")
    run.params |= {name: importlib.metadata.version(name) for name in ("turbohtml", "html5lib")}
    run.params["chromium"] = version
    judged = guard.ask({case.id: case.page for case in cases})
    again = guard.ask({case.id: turbohtml.parse(case.page, positions=False).html for case in cases})
    rows = [_row(case, seen[case.id], judged[case.id], again[case.id]) for case in cases]
    summary = _summary(rows)
    traced = _trace(next(case for case in cases if case.id == run.params["traced"]))
    return Payload(result={"summary": summary, "cases": rows, "traced": traced}, figures=_figures(summary))


def _row(case: Case, in_chromium: trees.Nodes, answer: guard.Answer, after: guard.Answer) -> JsonObject:
    """One document; ``after`` is what the guard says of the page once it was parsed and written out again."""
    written = trees.written(case.html)
    browser, html5lib = trees.by_turbohtml(case.page), trees.by_html5lib(case.page)
    return {
        "id": case.id,
        "group": case.group,
        "says": case.says,
        "html": case.html,
        "written": None if written is None else trees.line(written),
        "browser": trees.line(browser),
        "html5lib": trees.line(html5lib),
        "as_written": written == browser,
        "chromium_equal": in_chromium == browser,
        "html5lib_equal": html5lib == browser,
        "verdict": answer.verdict,
        "rules": ", ".join(answer.rules),
        "note": f"{answer.message}. Fix: {answer.fix}" if answer.rules else "",
        "after_verdict": after.verdict,
        "after_rules": ", ".join(after.rules),
        "written_tree": None if written is None else trees.outline(written),
        "browser_tree": trees.outline(browser),
        "html5lib_tree": trees.outline(html5lib),
    }


def _trace(case: Case) -> JsonObject:
    """One document cut off after each token: what turbohtml and html5lib have built by then."""
    steps = [
        {
            "token": token,
            "browser": trees.line(trees.by_turbohtml(page)),
            "html5lib": trees.line(trees.by_html5lib(page)),
        }
        for token, page in case.pages_by_token()
    ]
    return {"id": case.id, "tokens": steps}


def _summary(rows: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    unstable = [row for row in rows if row["verdict"] == "unstable"]
    non_conforming = [row for row in rows if row["verdict"] == "non-conforming"]
    return {
        "cases": len(rows),
        "no_written_tree": sum(row["written"] is None for row in rows),
        "reshaped": sum(not row["as_written"] for row in rows),
        "unstable": len(unstable),
        "non_conforming": len(non_conforming),
        "clean": sum(row["verdict"] == "clean" for row in rows),
        "agree": sum((row["verdict"] == "unstable") != row["as_written"] for row in rows),
        "closed_paragraphs": sum("flow-in-p" in row["rules"].split(", ") for row in rows),
        "chromium_equal": sum(row["chromium_equal"] for row in rows),
        "html5lib_differs": sum(not row["html5lib_equal"] for row in rows),
        "html5lib_as_written": sum(row["html5lib"] == row["written"] and not row["as_written"] for row in rows),
        "unstable_after": sum(row["after_verdict"] != "clean" for row in unstable),
        "non_conforming_after": sum(row["after_rules"] == row["rules"] for row in non_conforming),
    }


def _figures(summary: Mapping[str, int]) -> dict[str, Figure]:
    whole = {"unstable_after": summary["unstable"], "non_conforming_after": summary["non_conforming"]}
    return {
        name: Figure(value, "", _LABELS[name], n=whole.get(name, summary["cases"]), at=f"/result/summary/{name}")
        for name, value in summary.items()
    }


CAPTURE = Capture(
    name="nesting",
    title="Tags as written, trees as built",
    describes=(
        "Small HTML documents of our own: the tree their tags describe, the trees that turbohtml, html5lib and "
        "Chromium build of them, and the verdict of the HTML guard before and after a parser has read them."
    ),
    kind="measured",
    capture=capture,
    params={"traced": "p-dialog"},
    caveats=(
        "The documents were chosen to show one rule each; the counts say nothing about how frequent such mistakes are.",
    ),
    determinism=EXACT,
    minutes=0.5,
)
