"""An information barrier, asked from both sides, and what its outsiders can infer when rows are hidden after ranking.

Every question has one side that holds its document and one that may not know of it. For the outsider two worlds are
compared: one with the document behind the barrier, one without it (see `harness.experiments.barriers.worlds`). What it
may see is the same in both, so anything that differs tells of hidden rows. Each observable of a result page, and the
response time, is judged by how often a guess from it is right; chance is one half.

**Order of filtering.** Counts, ranks, scores are taken from exact rankings, filtered after ranking and before it; for
lexical search also filtered before ranking with statistics over all rows. **Time** is taken in PostgreSQL, with an
index whose candidates the barrier drops afterwards, with an exact scan, and with an index over the outsider's own rows,
where both worlds are the same table and any difference is noise.

**The sides are assigned by rule** (`harness.entitlements.classification`): no document of the corpus is behind a
barrier.
"""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, Payload, Run
from harness.corpus.model import Corpus
from harness.entitlements.classification import LEVELS, SIDES, labels
from harness.entitlements.readers import Reader
from harness.entitlements.table import Entitled
from harness.experiments.barriers import case, observe, timed
from harness.experiments.barriers.figures import figures, observed, timed_rows
from harness.experiments.barriers.timed import Tables, Timed, Way
from harness.experiments.barriers.worlds import Held, Rows, halves, held
from harness.measuring.labelled.design import Asking
from harness.measuring.labelled.measure import Guard, probe
from harness.measuring.trials import spread
from harness.retrieval import lexical

#: The side whose documents are taken out and put in for the searches that are timed.
HIDDEN = SIDES[0]


def capture(run: Run) -> Payload:
    """Observe exact rankings, then search and time in the database."""
    params, corpus = run.params, run.corpus
    found = labels(corpus)
    run.log("questions that one side can answer")
    questions = held(corpus, found)
    rows, every = Rows.of(corpus, found), corpus.vectors().astype(np.float64)
    vectors = corpus.query_vectors([question.query for question in questions]).astype(np.float64)

    def cosines(number: int) -> observe.Floats:
        values: observe.Floats = every @ vectors[number]
        return values

    run.log("dense rankings in both worlds")
    seen = observe.dense(questions, rows, cosines, params["k"], params["floor"])
    run.log("lexical rankings in both worlds")
    by_words, solved = observe.lexical(questions, rows, lexical.index(corpus.chunks))
    shown = case.choose(questions, rows, cosines, params["k"])
    made = timed.ways(
        params["k"], params["ef_search"], params["max_scan_tuples"], params["repeats"], params["exact_repeats"]
    )
    guard = Guard(found)
    taken, sides, number = _database(run, questions, made, guard)
    timed_part, times = timed_rows(made, taken, params)
    result: dict[str, Any] = {
        "population": _population(corpus, questions, rows, number),
        "sides": sides,
        "checked": {"rows": guard.rows, "searches": guard.searches, "foreign": 0},
        "observables": observed(seen | by_words, params),
        "solved": {
            "asked": solved.asked,
            "exact": solved.exact,
            "share": solved.exact / max(1, solved.asked),
            "any_share": solved.any_right / max(1, solved.asked),
            "questions_without_a_word": solved.none_held,
        },
        "timed": timed_part,
        "case": case.show(corpus, questions[shown], rows, cosines(shown), params["k"], params["floor"]),
    }
    timings = {"searches": times}
    return Payload(result, figures(result, timings), timings)


def _database(
    run: Run, questions: list[Held], made: list[Way], guard: Guard
) -> tuple[dict[str, Timed], dict[str, int], int]:
    """Make the three tables, time, ask from both sides, probe at random, and drop the tables again."""
    params, corpus, store = run.params, run.corpus, run.database()
    found = guard.labels
    tenants = tuple(sorted({document.tenant for document in corpus.documents.values()}))
    top = len(LEVELS) - 1
    readers = {side: Reader(f"everything/{side}", tenants, top, (side,)) for side in SIDES}
    without = halves(questions, HIDDEN)
    layouts = [Entitled(store, labels=found, without=half, suffix=f"world{i}") for i, half in enumerate(without)]
    layouts.append(Entitled(store, labels=found, only=SIDES[1], suffix="own"))
    outside = [(q, readers[q.outside]) for q in questions if q.side == HIDDEN]
    kept = {query.id for query in spread([question.query for question, _ in outside], params["timed"])}
    outside = [pair for pair in outside if pair[0].query.id in kept]
    try:
        for layout in layouts:
            layout.create((), run.log)
            layout.grant(list(readers.values()))
        with ExitStack() as stack:
            opened = [(layout, stack.enter_context(layout.connect())) for layout in layouts]
            tables = Tables(*opened)
            run.log(f"timed searches of {len(outside)} questions")
            asked = corpus.query_vectors([question.query for question, _ in outside])
            taken = timed.take(tables, made, outside, asked, params["k"], guard)
            run.log("both sides")
            asked = corpus.query_vectors([question.query for question in questions])
            sides = timed.both_sides(tables, questions, asked, readers, params["k"], guard)
            run.log("random readers and questions")
            askings = [Asking(0, reader, 0) for reader in readers.values()]
            for layout, conn in opened:
                probe(layout, conn, askings, asked, params["probes"], params["seed"], params["k"], guard)
    finally:
        for layout in layouts:
            layout.drop()
    if sides["outsider_found"]:
        raise RuntimeError(f"{sides['outsider_found']} outsiders were given a document behind the barrier")
    return taken, sides, len(outside)


def _population(corpus: Corpus, questions: list[Held], rows: Rows, number: int) -> dict[str, int]:
    documented = sum(query.doc in corpus.documents for query in corpus.queries)
    return {
        "chunks": len(corpus.chunks),
        "documents": len(corpus.documents),
        "tenants": len({document.tenant for document in corpus.documents.values()}),
        "questions": len(questions),
        "left_out": documented - len(questions),
        **{side: sum(question.side == side for question in questions) for side in SIDES},
        **{f"chunks_{side}": int((rows.sides == place).sum()) for place, side in enumerate(SIDES)},
        "timed": number,
    }


CAPTURE = Capture(
    name="barriers",
    title="What shows through an information barrier",
    describes=(
        "Golden questions that only documents on one side of a barrier answer, asked from both sides, and the accuracy "
        "of guesses whether a hidden document answers the question, from counts, ranks, scores and response time, with "
        "the barrier applied after ranking and before it; each question in a world with its document and in one "
        "without."
    ),
    kind="measured",
    capture=capture,
    corpus="full",
    params={
        "k": 10,
        "floor": 0.5,
        "ef_search": 40,
        "max_scan_tuples": 20_000,
        "timed": 240,
        "repeats": 5,
        "exact_repeats": 3,
        "probes": 1_000,
        "seed": 20,
        "resamples": 10_000,
        "labels": "sides alternate by id within a tenant; every reader has all tenants and the highest clearance",
        "bm25": "k1 1.2, b 0.75, variant lucene; scores printed with 4 decimals",
        "warm_up": "one round of each search in both worlds is not counted",
    },
    canary_params={
        "k": 5,
        "floor": 0.3,
        "ef_search": 20,
        "max_scan_tuples": 200,
        "repeats": 2,
        "exact_repeats": 2,
        "probes": 20,
        "resamples": 1_000,
    },
    caveats=(
        "The sides are assigned by rule; no document of the corpus is behind a barrier.",
        "A guess is right by chance half of the time: each question is judged in two worlds, one with its document and "
        "one with another hidden document in its place.",
        "Intervals are 95% bootstrap intervals over questions, those of times the 5th to 95th percentile.",
        "Times are of one client on the machine of the database, without a network: noise of a network hides more.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("tolerance", rel=0.02, abs=0.02),
    volatile=("/timings", "/result/timed/*/measured", "/result/checked"),
    minutes=6.0,
)
