"""Dataset ``tenants``: what the tenants are, and what other ways to deal out the rows would have made of the result.

The recall of a filtered search (top ten from an HNSW index under the row policy, against exact search under the same
policy) is measured four times over the same rows, sizes, readers and kind of index: with the tenants that the documents
have, with whole documents dealt out by hash, with single chunks dealt out by hash, and with made-up vectors whose
tenants lie nearly at right angles. Only the first says something of the corpus; the others show what a test on such
tenants would have concluded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from harness.capture.api import Capture, Determinism, JsonObject, Payload, Run
from harness.corpus.full.fold import LEAST, SIBLINGS
from harness.corpus.manifest import Entry, read_manifest
from harness.corpus.model import Corpus
from harness.experiments.tenants.arrangements import Arrangement, arrangements
from harness.experiments.tenants.cosines import Closeness, closeness
from harness.experiments.tenants.layout import Dealt
from harness.experiments.tenants.tables import FAMILIES, TABLES
from harness.measuring.intervals import interval
from harness.measuring.loop import Task
from harness.measuring.population import cell_rows, population
from harness.measuring.readings import Readings
from harness.measuring.sweep import Group, Sweep, swept
from harness.measuring.trials import asked, cells, principals_in
from harness.measuring.ways import Way
from harness.paths import FULL_MANIFEST
from harness.store.layouts import HNSW, Scan, search


def capture(run: Run) -> Payload:
    """Describe the tenants, then make, read and drop one table an arrangement."""
    params, corpus = run.params, run.corpus
    queries = asked(corpus, params["questions"])
    made = arrangements(corpus, queries, params["seed"])
    origins = _origins(corpus)
    close = closeness(corpus.vectors(), made[0].tenants)
    rows, readings, cases = [], [], []
    families: list[JsonObject] = []
    for arrangement in made:
        near = _own_among(arrangement, params["ef_search"])
        rows.append(_arrangement(arrangement, near, params["ef_search"]))
        sweep, seen, case = _measure(run, arrangement, near)
        for row, cell in zip(sweep.rows(params), seen, strict=True):
            shown = {"arrangement": arrangement.id, "cell": cell["cell"], "n": cell["n"]}
            readings.append({**shown, "visible_share": cell["visible_share"], "measured": row["measured"]})
        if arrangement.id == "semantic":
            families = _families(arrangement, next(iter(sweep.taken[0].values())), params)
        cases.append(case)
    tenants = _tenants(corpus, close, origins)
    result: JsonObject = {
        "population": population(corpus, len(queries)),
        "fold": _fold(origins),
        "folded": _folded(origins),
        "tenants": tenants,
        "mixed": [row for row in tenants if row["within"] <= row["to_nearest"]],
        "arrangements": rows,
        "readings": readings,
        "families": families,
        "cases": cases,
    }
    return Payload(result)


def _origins(corpus: Corpus) -> list[tuple[Entry, int]]:
    """The manifest's entry and the number of chunks of every document of the corpus; none for the small corpus."""
    counts = Counter(chunk.doc for chunk in corpus.chunks)
    return [(entry, counts[entry.id]) for entry in read_manifest(FULL_MANIFEST) if entry.id in corpus.documents]


def _fold(origins: Sequence[tuple[Entry, int]]) -> JsonObject:
    """Tenants before and after folding, and how many of either have one document or too few chunks."""
    made: JsonObject = {"least": LEAST}
    for key, field in (("before", "original_tenant"), ("after", "tenant")):
        chunks: Counter[str] = Counter()
        documents: Counter[str] = Counter()
        for entry, count in origins:
            chunks[getattr(entry, field)] += count
            documents[getattr(entry, field)] += 1
        made[f"tenants_{key}"] = len(chunks)
        made[f"small_{key}"] = sum(count < LEAST for count in chunks.values())
        made[f"one_document_{key}"] = sum(count == 1 for count in documents.values())
    made["folded"] = sum(entry.tenant != entry.original_tenant for entry, _ in origins)
    return made


def _folded(origins: Sequence[tuple[Entry, int]]) -> list[JsonObject]:
    """Every tenant that had too few chunks: its size, its nearest sibling by subject, and the tenant it ended in."""
    found: dict[str, JsonObject] = {}
    for entry, count in origins:
        if entry.tenant != entry.original_tenant:
            row = found.setdefault(
                entry.original_tenant,
                {
                    "original": entry.original_tenant, "name": entry.original_tenant_name, "documents": 0, "chunks": 0,
                    "sibling": SIBLINGS[entry.original_tenant], "joined": entry.tenant,
                },
            )  # fmt: skip
            row["documents"] += 1
            row["chunks"] += count
    return [found[name] for name in sorted(found)]


def _tenants(corpus: Corpus, close: Closeness, origins: Sequence[tuple[Entry, int]]) -> list[JsonObject]:
    chunks = Counter(chunk.tenant for chunk in corpus.chunks)
    documents = Counter(document.tenant for document in corpus.documents.values())
    names = {document.tenant: document.tenant_name for document in corpus.documents.values()}
    joined: dict[str, set[str]] = {}
    for entry, _ in origins:
        joined.setdefault(entry.tenant, set()).add(entry.original_tenant)
    made = []
    for number, tenant in enumerate(close.tenants):
        nearest = close.nearest(number)
        made.append(
            {
                "tenant": tenant,
                "name": names[tenant],
                "documents": documents[tenant],
                "chunks": chunks[tenant],
                "origins": len(joined.get(tenant, {tenant})),
                "within": float(close.between[number, number]),
                "nearest": close.tenants[nearest],
                "to_nearest": float(close.between[number, nearest]),
            }
        )
    return made


def _own_among(arrangement: Arrangement, depth: int) -> list[int]:
    """Of the `depth` rows nearest to each question, all rows compared, how many are of the question's tenant."""
    tenants = np.asarray(arrangement.tenants)
    depth = min(depth, len(tenants))
    found = []
    for query, vector in zip(arrangement.queries, arrangement.query_vectors, strict=True):
        cosines = np.round(arrangement.vectors @ vector, 6)
        nearest = np.argsort(-cosines, kind="stable")[:depth]
        found.append(int((tenants[nearest] == query.tenant).sum()))
    return found


def _arrangement(arrangement: Arrangement, near: Sequence[int], depth: int) -> JsonObject:
    close, sizes = closeness(arrangement.vectors, arrangement.tenants), Counter(arrangement.tenants)
    share = float(np.mean([sizes[query.tenant or ""] for query in arrangement.queries])) / len(arrangement.tenants)
    return {
        "arrangement": arrangement.id,
        "made_up": arrangement.made_up,
        "tenants": len(sizes),
        "smallest": min(sizes.values()),
        "largest": max(sizes.values()),
        "within": close.within(),
        "across": close.across(),
        "apart": close.apart(),
        "own_among": float(np.mean(near)),
        "own_by_chance": share * min(depth, len(arrangement.tenants)),
        "without_own": sum(count == 0 for count in near),
    }


def _measure(run: Run, arrangement: Arrangement, near: Sequence[int]) -> tuple[Sweep, list[JsonObject], JsonObject]:
    """Read every cell over several builds of the index; the candidates of one question come from the last build."""
    params, store = run.params, run.database()
    design = cells(sorted(set(arrangement.tenants)), arrangement.queries, [1], params["seed"])
    readers, scan = principals_in(design), Scan(ef_search=params["ef_search"])
    store.grant({reader.name: reader.tenants for reader in readers})
    task = Task(arrangement.query_vectors, params["k"])
    groups = [Group(cell.label, cell.askings, task) for cell in design]
    sweep = Sweep(groups, [Way("policy", scan, plans=(HNSW.plan,))], params["builds"], run.log)
    case = _typical(near)
    query = arrangement.queries[case]
    with (
        swept(Dealt(store, run.corpus, arrangement), readers, sweep) as (place, _),
        place.layout.session(place.conn, design[-1].askings[case].principal) as reading,
    ):
        listed = search(place.layout, reading, task.vectors[case], scan, k=params["ef_search"])
    return (
        sweep,
        cell_rows(Counter(arrangement.tenants), design),
        {
            "arrangement": arrangement.id,
            "query": query.id,
            "question": query.text,
            "tenant": query.tenant,
            "own": near[case],
            "slots": [hit.tenant for hit in listed],
        },
    )


def _typical(near: Sequence[int]) -> int:
    """The question whose number of own rows is closest to the mean, the first of equals."""
    mean = float(np.mean(near))
    return min(range(len(near)), key=lambda i: (abs(near[i] - mean), i))


def _families(arrangement: Arrangement, taken: Readings, params: Mapping[str, Any]) -> list[JsonObject]:
    """Home recall with the documents' own tenants, by the kind of tenant that the question is about."""
    kinds = np.array([FAMILIES.get((q.tenant or "").partition("-")[0], FAMILIES["rfc"]) for q in arrangement.queries])
    made = []
    for kind in FAMILIES.values():
        own = kinds == kind
        if own.any():
            found = interval(taken["recall"][:, own], params)
            empty = int((taken["kept"][:, own] == 0).any(axis=0).sum())
            measured = {"recall": found.mean, "interval": [found.low, found.high], "empty": empty}
            made.append({"family": kind, "n": int(own.sum()), "measured": measured})
    return made


CAPTURE = Capture(
    name="tenants",
    title="The tenants, and four ways to deal out the same rows",
    describes=(
        "Documents and chunks per tenant, tenants joined with a sibling, mean cosines within and between tenants, and "
        "recall@10 of an HNSW search under row-level security for readers of one tenant and of all, with the "
        "documents' own tenants, with documents or chunks dealt to tenants of the same sizes by hash, and with made-up "
        "vectors of nearly orthogonal tenants as a control."
    ),
    kind="measured",
    capture=capture,
    tables=TABLES,
    corpus="full",
    params={
        "ef_search": 40,
        "k": 10,
        "questions": 120,
        "builds": 2,
        "seed": 20,
        "resamples": 10_000,
        "predicate": "the statement names no tenant",
        "plan": "index scans forced",
    },
    canary_params={"ef_search": 10, "builds": 1, "resamples": 1_000},
    caveats=(
        "The arrangement “orthogonal” has made-up vectors; it is a control that shows what such data would have said, "
        "and says nothing of the corpus.",
        "Tenants dealt by hash keep the names and sizes of the real ones, so that the same readers ask; a name then "
        "says nothing.",
        "Means over two builds of the index; intervals of recall are 95% bootstrap intervals over questions, those of "
        "counts the smallest and largest build.",
        "A question is about the tenant of its source chunk: of the document it was drafted from, the chunk nearest to "
        "it.",
        "The questions were drafted by a language model from the documents.",
    ),
    determinism=Determinism("distribution", rel=0.02, abs=0.02, runs=2, statistic="mean"),
    volatile=("/timings", "/result/readings/*/measured", "/result/families/*/measured", "/result/cases/*/slots"),
    minutes=6.0,
)
