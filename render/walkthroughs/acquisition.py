"""A downloader's requests over time, and what a server can do to them: dataset ``acquisition``."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import timeline as lanes
from render.views.kinds.timeline import Ceiling, Span, timeline
from render.views.kit import Cell, Col, data, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

BUCKETS = {"full": "starts full", "strict": "capacity 1"}
WORDS = {"ok": "document whole, or redirect", "refused": "answered with 429", "failed": "failed or not the document"}


def steps(dataset: Dataset) -> list[Step]:
    """Eight states: two buckets, a server with a limit, three groups of faults, a quota, a killed run."""
    return [*_opening(dataset), *_faults(dataset), _quota(dataset), _restart(dataset)]


def _spans(made: Sequence[Mapping[str, Any]], times: Sequence[Sequence[float]], lane: Mapping[str, str]) -> list[Span]:
    """Captured spans with their times, in lanes by document."""
    return [
        Span(lane[span["doc"]], start, end, span["state"], _label(span), _detail(span))
        for span, (start, end) in zip(made, times, strict=True)
        if span["doc"] in lane
    ]


def _label(span: Mapping[str, Any]) -> str:
    if span["state"] == "wait":
        return ""
    return str(span["status"]) if span["status"] else "no answer"


def _detail(span: Mapping[str, Any]) -> str:
    if span["state"] == "wait":
        return f"{span['reason']}; to wait: {number_text(span['seconds'], 2)} s"
    asked = f"from byte {number_text(span['from'])}" if span["from"] else ""
    kept = f"{number_text(span['kept'])} bytes there" if span["kept"] else ""
    return " · ".join(part for part in (asked, kept) if part)


def _opening(dataset: Dataset) -> list[Step]:
    rate, limit = dataset.params["rate"], dataset.params["limit"]
    traces = dataset.timings["opening"]["traces"]
    high = max(end for trace in traces.values() for _, end in trace["times"])
    schedule = dataset.result["schedule"]
    says = {
        "full": f"The bucket holds {rate} tokens and starts full. They leave at once, and the refill follows: "
        f"{schedule['full']['first_second']} requests in the first second by the rule, under a ceiling of {rate}.",
        "strict": f"The same rate with room for one token. Every request waits a whole gap after the one before: "
        f"{schedule['strict']['first_second']} in the first second, and in every other.",
    }
    titles = {"full": "A bucket that starts full", "strict": "The bucket pinned at capacity one"}
    made = [
        Step(
            bucket,
            titles[bucket],
            says[bucket],
            timeline(
                _one_lane(traces[f"open_{bucket}"], BUCKETS[bucket]),
                title=f"Requests of {len(dataset.result['documents'])} documents: {BUCKETS[bucket]}",
                desc=f"Each mark is a request of the first run. Below: those begun in the last second, against {rate}.",
                high=high, ceiling=Ceiling(rate, "requests begun in the last second", 1.0), words=WORDS,
            )
            + _counted(dataset, "first_second", bucket),
            (f"scheduled_first_{bucket}", f"first_second_{bucket}"),
        )
        for bucket in BUCKETS
    ]  # fmt: skip
    both = [span for bucket, name in BUCKETS.items() for span in _one_lane(traces[f"limited_{bucket}"], name)]
    made.append(
        Step(
            "limited",
            "A server with a limit answers the burst with 429",
            f"The server answers {limit} requests in any second and refuses the rest for a second. A client at "
            "capacity one never meets the limit; a burst can.",
            timeline(
                both, title="Both buckets against a server with a limit", high=high, words=WORDS,
                desc="The first run of each bucket. Requests that the server refused differ in height and outline.",
            )
            + _limited(dataset),
            tuple(f"{key}_{bucket}" for key in ("refused", "requests", "seconds") for bucket in BUCKETS),
        )
    )  # fmt: skip
    return made


def _one_lane(trace: Mapping[str, Any], name: str) -> list[Span]:
    made = _spans(trace["spans"], trace["times"], {span["doc"]: name for span in trace["spans"]})
    return [Span(name, span.start, span.end, span.state) for span in made if span.state != "wait"]


def _counted(dataset: Dataset, key: str, bucket: str) -> Markup:
    figure, planned = dataset.figures[f"{key}_{bucket}"], dataset.figures[f"scheduled_first_{bucket}"]
    low, high = figure["interval"]
    return stats(
        [
            ("in the first second, by the rule", data(planned["value"]), ""),
            (f"measured, median of {figure['n']} runs", data(figure["value"]), ""),
            ("smallest and largest", Markup("{} to {}").format(data(low), data(high)), ""),
        ]
    )


def _limited(dataset: Dataset) -> Markup:
    rows: list[list[Cell]] = []
    for key, label, digits in (
        ("refused", "requests refused", 0),
        ("requests", "requests in all", 0),
        ("seconds", "seconds to the last document", 2),
    ):
        cells: list[Cell] = [label]
        for bucket in BUCKETS:
            figure = dataset.figures[f"{key}_{bucket}"]
            low, high = figure["interval"]
            cells.append(
                Markup("{} ({} to {})").format(data(figure["value"], digits), data(low, digits), data(high, digits))
            )
        rows.append(cells)
    columns: list[str | Col] = ["Median (smallest to largest)", *(Col(name, numeric=True) for name in BUCKETS.values())]
    return table(columns, rows, title=f"{dataset.figures['refused_full']['n']} runs of each bucket")


GROUPS = (
    (
        "waits",
        "Asked to wait, out of order for a moment, moved",
        ("retry_after", "unavailable", "redirect"),
        "A 429 says how long to wait, and every worker waits. A 503 says nothing: the wait is drawn at random under a "
        "ceiling that doubles with each try. A redirect is a request of its own and waits for its turn.",
    ),
    (
        "broken", "Bodies that break off", ("cut", "cut_no_ranges", "short", "stall", "reset"),
        "A body shorter than announced is not accepted. The next request asks for the rest; a server without ranges "
        "sends the whole again.",
    ),
    (
        "refused", "Answers that are not the document", ("page", "other", "missing"),
        "An error page under HTTP 200, another length, a 404: refused by name after one request. The other documents "
        "are not held up.",
    ),
)  # fmt: skip


def _faults(dataset: Dataset) -> list[Step]:
    faults = dataset.result["faults"]
    lane = {row["doc"]: row["label"] for row in faults["cases"]}
    made = _spans(faults["spans"], dataset.timings["faults"]["times"], lane)
    found = []
    for ident, title, cases, says in GROUPS:
        names = {row["label"] for row in faults["cases"] if row["case"] in cases}
        marked = [
            Span(s.lane, s.start, s.end, s.state, s.label, s.detail, on=s.lane in names and s.state != "wait")
            for s in made
        ]
        drawing = timeline(
            marked, title="One run, one fault a document", words=WORDS,
            desc=f"A lane a document. Outlined: {', '.join(sorted(names))}.",
            now=max(span.end for span in made if span.lane in names),
        )  # fmt: skip
        numbers = tuple(f"requests_{case}" for case in cases)
        found.append(Step(ident, title, says, drawing + _cases(faults["cases"], cases), numbers))
    return found


def _cases(rows: Sequence[Mapping[str, Any]], shown: Collection[str]) -> Markup:
    cells: list[list[Cell]] = [
        [
            row["label"],
            ", ".join(str(status) if status else "no answer" for status in row["statuses"]),
            row["requests"], row["bytes"], row["sent"], row["state"],
        ]
        for row in rows
        if row["case"] in shown
    ]  # fmt: skip
    columns: list[str | Col] = [
        "Fault", "Answers", *(Col(name, numeric=True) for name in ("requests", "bytes", "bytes sent")), "Outcome",
    ]  # fmt: skip
    return table(columns, cells, title="What it took")


def _quota(dataset: Dataset) -> Step:
    quota = dataset.result["quota"]
    made = _spans(
        quota["spans"]["stopped"], dataset.timings["quota"]["stopped"],
        {span["doc"]: span["doc"] for span in quota["spans"]["stopped"]},
    )  # fmt: skip
    runs = {"stopped": "stops at the first sign", "retried": "takes it for transient", "next_day": "next day"}
    keys = ("requests", "answered_429", "fetched", "present", "refused", "postponed")
    rows: list[list[Cell]] = [[words, *(quota[run][key] for key in keys)] for run, words in runs.items()]
    columns: list[str | Col] = [
        "Run", *(Col(name, numeric=True) for name in ("requests", "of them 429", *keys[2:])),
    ]  # fmt: skip
    return Step(
        "quota",
        "A quota stops the run",
        f"The day’s quota is {dataset.params['quota']} requests for {quota['documents']} documents. The refusal says "
        "that nothing remains and when the next day begins; asking again could only lose.",
        timeline(
            made, title="The run that stops", words=WORDS,
            desc="A lane a document. The last request is answered with 429, and no further one leaves.",
        )
        + table(columns, rows, title="Three runs under a quota"),
        tuple(f"{run}_{key}" for run in runs for key in ("requests", "answered_429")),
    )  # fmt: skip


def _restart(dataset: Dataset) -> Step:
    restart = dataset.result["restart"]
    rows: list[list[Cell]] = [
        [
            f"killed in {run['killed_in']}" if run["killed_in"] else "left alone",
            run["requests"], run["resumed_from"], run["bytes"], run["part_bytes"], run["whole"],
        ]
        for run in restart["runs"]
    ]  # fmt: skip
    columns: list[str | Col] = [
        "Run",
        *(
            Col(name, numeric=True)
            for name in ("requests", "resumed from byte", "bytes sent", "bytes in the part", "documents whole")
        ),
    ]
    totals = stats(
        [
            ("bytes sent, all runs", data(restart["bytes"]), ""),
            ("bytes sent, unbroken run", data(restart["bytes_unbroken"]), ""),
            ("documents equal", Markup("{} of {}").format(data(restart["equal"]), data(restart["documents"])), ""),
        ]
    )
    return Step(
        "restart",
        "Killed in the middle, and started again",
        f"The process was killed {restart['kills']} times, each time with half a body on disk. The next run keeps what "
        "is whole and asks for the other half only.",
        table(columns, rows, title=f"{restart['documents']} documents, one run after the other") + totals,
        ("restart_equal", "restart_bytes", "restart_bytes_unbroken"),
    )


WALKTHROUGH = Walkthrough(
    dataset="acquisition",
    id="acquisition",
    title="How many requests leave in the first second?",
    intro=(
        "Two buckets with one rate, then everything else that a server can do to a download: real requests to a "
        "server on the same machine."
    ),
    steps=steps,
    kind=lanes.KIND,
    prediction=Prediction(
        before="quota",
        ask="The day’s quota is used up and documents are left. What does a client lose that retries each of them?",
        options=(
            Option("Nothing: in the end it gets the same documents", False, "The same documents, and every retry is "
                   "one more refused request that a server may hold against it."),
            Option("Three retries a document, and all the waits between", True, "No retry can win before the reset. "
                   "And each document left is then reported as refused, which it is not."),
            Option("One request: the first refusal", False, "That is what the client loses that stops there."),
        ),
    ),
)  # fmt: skip
