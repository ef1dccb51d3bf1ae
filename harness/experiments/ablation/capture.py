"""What each part of the pipeline buys: dense search first, then one change a row, on the same questions.

Each row is compared, question by question, with the row it changes. Nothing of the rows was tuned; the floor of the
last comparison is chosen on the working part of the questions and reported on the held-out fifth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.answering import floor as floors
from harness.answering.sentences import folded
from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Query
from harness.evaluation import bootstrap, metrics
from harness.evaluation.answers import quotes_evidence
from harness.evaluation.relevance import LABELS, Label, judgments
from harness.experiments.ablation.figures import figures
from harness.experiments.ablation.rungs import Rung, rungs, tokens
from harness.measuring.answered.asked import Asked, ask_all, spread
from harness.measuring.answered.outcome import rates

RANKED = ("MRR@10", "nDCG@10")
Values = dict[tuple[str, str], list[float]]
"""(metric, label) → one value a question, in id order."""


def capture(run: Run) -> Payload:
    """Measure every row, compare it with the row it changes, and choose and test the floor."""
    params = run.params
    asked = ask_all(run)
    queries = asked.arm("home")
    run.log("the rows")
    found = rungs(asked, params["longer"])
    judged = {label: judgments(asked.corpus, label) for label in LABELS}
    values = {rung.name: _values(asked, rung, queries, judged) for rung in found}
    right = values["fused"]["right", "evidence"]
    answers = [float(asked.answers(query, "home")) for query in queries]
    values["floor"] = {("right", "evidence"): [a * b for a, b in zip(right, answers, strict=True)]}
    pairs = [(rung.against, rung.name) for rung in found if rung.against] + [
        ("fused", "neighbours"), ("fused", "longer"), ("dense", "fused"), ("fused", "floor"),
    ]  # fmt: skip
    result: dict[str, Any] = {
        "population": {
            "chunks": len(asked.corpus.chunks), "documents": len(asked.corpus.documents),
            "queries": len(asked.queries), "answerable": len(queries), "held_out": len(asked.held),
            "none": len(asked.arm("none")),
        },
        "rows": [_row(rung, values[rung.name]) for rung in found],
        "differences": [
            row for base, to in dict.fromkeys(pairs) for row in _differences(values[base], values[to], base, to, params)
        ],
        "moved": [_moved(base, to, values, queries, params["moved"]) for base, to in dict.fromkeys(pairs)],
        "floor": _floor(asked, params["curve"]),
    }  # fmt: skip
    timings = {"rows": [{"row": rung.name, **spread(list(rung.milliseconds.values()))} for rung in found]}
    return Payload(result, figures(result, timings), timings)


def _values(asked: Asked, rung: Rung, queries: Sequence[Query], judged: Mapping[Label, Any]) -> Values:
    """Rank measures under both labels, whether the context holds the evidence, and whether a quote is of it."""
    found: Values = {}
    if rung.rankings is not None:
        for label in LABELS:
            by_metric = metrics.evaluate([metrics.metric(name) for name in RANKED], rung.rankings, judged[label])
            for name, by_query in by_metric.items():
                found[name, label] = [by_query[query.id] for query in queries if query.id in by_query]
    documents = [[chunk.doc for chunk in rung.contexts[query.id]] for query in queries]
    found["context", "source"] = [float(query.doc in docs) for query, docs in zip(queries, documents, strict=True)]
    found["context", "evidence"] = [_holds(query, rung) for query in queries]
    vectors = asked.corpus.query_vectors(queries)
    row_of = asked.pipeline.index.row_of
    right = []
    for query, vector in zip(queries, vectors, strict=True):
        cosines = asked.pipeline.cosines(vector)
        context = [(chunk, float(cosines[row_of[chunk.id.split(" ")[0]]])) for chunk in rung.contexts[query.id]]
        quotes = asked.pipeline.answerer.answer(query.text, context).quotes
        right.append(float(quotes_evidence(query.evidence, [quote.text for quote in quotes])))
    found["right", "evidence"] = right
    return found


def _holds(query: Query, rung: Rung) -> float:
    evidence = folded(query.evidence or "")
    return float(bool(evidence) and any(evidence in folded(chunk.text) for chunk in rung.contexts[query.id]))


def _row(rung: Rung, values: Values) -> dict[str, Any]:
    found: dict[str, Any] = {"row": rung.name, "says": rung.says, "against": rung.against or None}
    for metric, label in [*((name, label) for label in LABELS for name in ("context", *RANKED)), ("right", "evidence")]:
        sample = values.get((metric, label))
        found[f"{metric} {label}"] = None if sample is None else sum(sample) / len(sample)
    counts = {f"{metric} count": round(sum(values[metric, "evidence"])) for metric in ("context", "right")}
    return found | counts | {"tokens": tokens(rung.contexts), "n": len(values["right", "evidence"])}


def _differences(before: Values, after: Values, base: str, to: str, params: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = []
    for (metric, label), sample in after.items():
        if (metric, label) not in before:
            continue
        it = bootstrap.paired_difference(
            before[metric, label], sample, resamples=params["resamples"], seed=params["seed"]
        )
        found.append(
            {
                "base": base, "to": to, "metric": metric, "label": label, "difference": it.interval.mean,
                "low": it.interval.low, "high": it.interval.high, "better": it.better, "same": it.same,
                "worse": it.worse, "n": it.interval.n,
                "finding": "higher" if it.interval.low > 0 else "lower" if it.interval.high < 0 else "not established",
            }
        )  # fmt: skip
    return found


def _moved(base: str, to: str, values: Mapping[str, Values], queries: Sequence[Query], shown: int) -> dict[str, Any]:
    """The questions that a change moves most: by MRR@10 under the strict label, by right answers where not ranked."""
    metric = "MRR@10" if all(("MRR@10", "evidence") in values[name] for name in (base, to)) else "right"
    before, after = (values[name][metric, "evidence"] for name in (base, to))
    changes = sorted(
        ((new - old, query.id, query.text, old, new) for query, old, new in zip(queries, before, after, strict=True)),
        key=lambda change: (-abs(change[0]), change[1]),
    )

    def rows(sign: int) -> list[dict[str, Any]]:
        kept = [change for change in changes if change[0] * sign > 0][:shown]
        return [{"id": id, "question": text, "before": old, "after": new} for _, id, text, old, new in kept]

    return {"base": base, "to": to, "metric": metric, "better": rows(1), "worse": rows(-1)}


def _floor(asked: Asked, steps: int) -> dict[str, Any]:
    sides = {"working": False, "held_out": True, "all": None}
    return {
        "value": asked.floor,
        "parts": [{"part": part, **rates(asked, held)} for part, held in sides.items()],
        "curve": floors.curve(asked.scores(["home"]), asked.scores(["away", "none"]), steps),
    }


CAPTURE = Capture(
    name="ablation",
    title="One change a row, from dense search to a declining answerer",
    describes=(
        "Every answerable golden question put to a ladder of pipelines over the same passages of the RFC corpus: dense "
        "search, BM25, their fusion with short and with long lists, headings in the word index, longer contexts, and a "
        "floor under the extractive answerer; per row the paired differences to the row it changes."
    ),
    kind="measured",
    capture=capture,
    params={
        "depth": 100, "k": 60, "context": 5, "longer": 15, "moved": 3, "curve": 40, "resamples": 10_000, "seed": 7,
    },
    canary_params={"depth": 20, "longer": 9, "moved": 1, "curve": 4, "resamples": 500},
    caveats=(
        "Nobody judged the passages. The evidence label counts only passages that hold the sentence a question was "
        "drafted from, word for word; other passages may answer it.",
        "A right answer here is one that quotes that sentence. An answer in other words, or from elsewhere, counts as "
        "wrong.",
        "An away question is put by a reader who may not see its working group; another group's documents may answer "
        "it all the same, and then its answer is counted as false.",
        "The questions were drafted by a language model and not verified by a person.",
    ),
    determinism=Determinism("tolerance", rel=0.0, abs=1e-4),
    volatile=("/timings",),
    minutes=3.0,
)  # fmt: skip
