"""Capture ``ivf_pq``: recall@10 and bytes a vector of inverted lists and product quantisation, HNSW beside them.

pgvector has inverted lists of full vectors (IVFFlat) and no product quantisation. The codes are therefore made and
searched in numpy (:mod:`harness.quantization`), over the same vectors and with the same questions. Lists of full
vectors are read in both: what they lose is what the lists alone lose. No time is published for numpy, since it would
say nothing of an implementation meant for speed; the share of vectors compared says how much work a search is.
"""

from __future__ import annotations

import numpy as np

from harness.capture.api import Capture, Determinism, JsonObject, Payload, Run
from harness.evaluation.relevance import judgments
from harness.experiments.ivf_pq import case, coded, postgres
from harness.experiments.ivf_pq.tables import TABLES
from harness.measuring.indexes import searches
from harness.measuring.indexes.searches import Asked
from harness.measuring.indexes.table import Exchangeable, Finished
from harness.measuring.loop import Place, Task, exact_results
from harness.measuring.readings import Readings
from harness.measuring.sweep import Group
from harness.measuring.trials import Asking, asked, cells, principals_in, tenants_of
from harness.quantization.inverted import Lists


def capture(run: Run) -> Payload:
    """Codes first, then the indexes of the database."""
    params, corpus, store = run.params, run.corpus, run.database()
    queries = asked(corpus, params["questions"])
    judged = judgments(corpus, "evidence")
    problem = coded.Problem.of(corpus, queries, judged, params["k"])
    result = _codes(run, problem)
    design = [cell for cell in cells(tenants_of(corpus), queries, [1], params["seed"]) if not cell.everything]
    reader = searches.everyone(corpus)
    readers = [reader, *principals_in(design)]
    store.grant({one.name: one.tenants for one in readers})
    task = Task(problem.query_vectors, params["k"])
    everyone = Group("everyone", [Asking(i, reader) for i in range(len(queries))], task)
    groups = [Group(cell.label, cell.askings, task) for cell in design]
    table = Exchangeable(store)
    created = table.create(readers, run.log)
    first = Finished(created.index_seconds, table.sizes().vectors)
    try:
        with table.connect() as conn:
            run.log("exact search")
            place = Place(table, conn)
            truth = exact_results(place, everyone.askings, task)
            found, timings = postgres.read(run, place, everyone, truth, groups, first, len(corpus.chunks))
    finally:
        table.drop()
    hits, _ = Asked(queries, problem.query_vectors, judged, truth, params["k"]).found(truth)
    result |= found | {
        "population": {
            "chunks": len(corpus.chunks), "documents": len(corpus.documents), "questions": len(queries),
            "dimensions": problem.vectors.shape[1], "vector_bytes": problem.vectors.nbytes // len(problem.vectors),
            "labelled": sum(query.id in judged for query in queries),
        },
        "exact": searches.agreement(corpus, problem.query_vectors, truth, params["k"])
        | {"hit": sum(hits) / len(hits), "labelled": len(hits)},
    }  # fmt: skip
    return Payload(result, timings=timings)


def _codes(run: Run, problem: coded.Problem) -> JsonObject:
    """Every variant with every seed; the case is shown with the first seed."""
    params = run.params
    seeds, variants = params["seeds"], coded.variants(params)
    taken = {variant: [Readings(len(seeds), len(problem.queries)) for _ in params["probes"]] for variant in variants}
    made: dict[tuple[str, int], list[coded.Made]] = {variant: [] for variant in variants}
    shown: JsonObject = {}
    sizes = []
    for number, seed in enumerate(seeds):
        lists = Lists.build(problem.vectors, params["lists"], seed=seed, sample=params["list_sample"])
        sizes.append(lists.sizes)
        for variant in variants:
            run.log(f"seed {seed}: {variant[0]}, {variant[1]} bytes")
            one = coded.make(problem, lists, *variant, seed, params)
            coded.take(problem, one.index, taken[variant], number, params)
            if number == 0 and variant == (coded.RESIDUAL, params["case_bytes"]):
                chosen = case.choose(problem, one.index, params)
                shown = case.show(run.corpus, problem, one.index, chosen, params)
            made[variant].append(one if number == 0 else coded.Made(made[variant][0].index, one.error))
    rows = [row for (variant, size), found in taken.items() for row in coded.rows_of(variant, size, found, params)]
    return {
        "lists": {
            "smallest": float(np.mean([one.min() for one in sizes])),
            "median": float(np.mean([np.median(one) for one in sizes])),
            "largest": float(np.mean([one.max() for one in sizes])),
        },
        "bytes": [coded.size_row(*variant, ones, len(problem.vectors)) for variant, ones in made.items()],
        "readings": rows,
        "case": shown,
    }


CAPTURE = Capture(
    name="ivf_pq",
    title="Inverted lists and product quantisation",
    describes=(
        "Recall@10 against exact search and bytes a vector by the number of inverted lists probed and the size of a "
        "product-quantised code, with and without reranking by full vectors, in numpy; and pgvector's IVFFlat and HNSW "
        "indexes over the same vectors, with and without a row policy behind them."
    ),
    kind="measured",
    capture=capture,
    tables=TABLES,
    corpus="full",
    params={
        "lists": 256,
        "few_lists": 64,
        "probes": [1, 2, 4, 8, 16, 32, 64, 128, 256],
        "postgres_probes": [1, 8, 16, 64, 256],
        "code_bytes": [8, 16, 32, 48, 96],
        "compared_bytes": [16, 32],
        "centroids": 256,
        "list_sample": 16_384,
        "sample": 8_192,
        "iterations": 8,
        "rerank": 100,
        "seeds": [1, 2, 3],
        "case_bytes": 32,
        "case_probes": 16,
        "ef_search": [10, 40, 100, 400],
        "filtered_ef": 40,
        "filtered_probes": [1, 16, 64],
        "builds": 3,
        "questions": 240,
        "k": 10,
        "seed": 20,
        "resamples": 10_000,
        "label": "evidence: a chunk that holds the sentence the answer was taken from",
        "warm_up": "every question is searched once at a middle setting after a build, then each setting is timed once",
    },
    canary_params={
        "lists": 8,
        "few_lists": 4,
        "probes": [1, 2, 4, 8],
        "postgres_probes": [1, 2, 4, 8],
        "code_bytes": [8, 48],
        "compared_bytes": [8],
        "centroids": 16,
        "rerank": 20,
        "seeds": [1],
        "case_bytes": 8,
        "case_probes": 2,
        "ef_search": [10, 40],
        "filtered_ef": 10,
        "filtered_probes": [1, 8],
        "builds": 1,
        "resamples": 1_000,
    },
    caveats=(
        "Recall says what lists and codes lose against exact search with the same embedder, not whether the chunks "
        "answer the question.",
        "Codes are made and searched in numpy, by code written to be read; IVFFlat and HNSW are pgvector's. Bytes of "
        "the first are those of its arrays, bytes of the second those of the index on disk.",
        "Means over three seeds, or over three builds of an index (lists 64 and readings under a policy: one build); "
        "intervals are 95% bootstrap intervals over questions.",
        "Index scans are forced: the planner may prefer an exact scan. Times include the statement that sets the "
        "scan's options.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=3, statistic="mean"),
    volatile=(
        "/timings",
        "/result/postgres/*/measured",
        "/result/indexes/*/measured",
        "/result/filtered/*/measured",
        "/result/case",
    ),
    minutes=7.0,
)
