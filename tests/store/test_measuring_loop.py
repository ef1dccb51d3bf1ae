"""The loop on a small database: order, clock, plans, and what ends a capture."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from harness.corpus.model import Corpus
from harness.measuring.loop import Place, Task, Witness, exact_results, inversions, take, turned
from harness.measuring.readings import Readings
from harness.measuring.trials import Asking, Principal
from harness.measuring.ways import Way, longer
from harness.store import Connection, RoleCanBypass, Store
from harness.store.layouts import HNSW, Pool, Reading
from harness.store.layouts.base import Reader
from harness.store.plans import SEQUENTIAL
from harness.store.scans import Hit, Scan

pytestmark = pytest.mark.database

PLAIN = Way("plain", Scan(20), plans=(HNSW.plan,))
NAMED = Way("named", Scan(20, plan="own"), predicate=True, form="materialized")
EACH = Way("each", Scan(20), predicate=True, form="each", plans=(HNSW.plan,))


@pytest.fixture(scope="module")
def place(store: Store) -> Iterator[Place]:
    layout = Pool(store)
    layout.create([], lambda message: None)
    with layout.connect() as conn:
        yield Place(layout, conn)
    layout.drop()


@pytest.fixture(scope="module")
def askings(store: Store, corpus: Corpus) -> list[Asking]:
    one, two = Principal("only:bees", ("bees",)), Principal("two", ("apples", "bees"))
    store.grant({one.name: one.tenants, two.name: two.tenants})
    return [Asking(0, one), Asking(7, two), Asking(12, two)]


@pytest.fixture
def task(corpus: Corpus) -> Task:
    ticks = itertools.count()
    return Task(corpus.query_vectors(corpus.queries), 10, clock=lambda: next(ticks) / 1024)


def test_the_forms_of_a_statement_find_what_they_promise(place: Place, askings: list[Asking], task: Task) -> None:
    truth = exact_results(place, askings, task)
    into = {way: Readings(1, len(askings)) for way in (PLAIN, NAMED, EACH)}
    take(place, askings, task, truth, into)
    assert into[NAMED].results[0] == truth and into[NAMED].counted_plans() == {SEQUENTIAL: 3}
    assert into[NAMED]["recall"].tolist() == [[1.0, 1.0, 1.0]]
    assert into[PLAIN]["kept"].min() < 10 and into[PLAIN].counted_plans() == {HNSW.plan: 3}
    assert into[EACH]["scans"].tolist() == [[1, 2, 2]]
    assert into[PLAIN]["removed"].max() > 0 and into[PLAIN]["ef_search"].tolist() == [[20, 20, 20]]


def test_a_reading_is_timed_by_the_clock_it_is_given_and_the_untimed_round_is_not(
    place: Place, askings: list[Asking], task: Task
) -> None:
    into = {PLAIN: Readings(2, len(askings))}
    task = replace(task, repeats=3)
    for build in range(2):
        take(place, askings, task, exact_results(place, askings, task), into, build)
    assert into[PLAIN]["milliseconds"].tolist() == [[1000 / 1024] * 3] * 2
    assert task.clock() == 2 * 3 * 3 * 2 / 1024
    assert into[PLAIN].latency() == {"n": 6, "p05": 0.977, "p50": 0.977, "p95": 0.977}


def test_every_way_begins_as_often_and_comes_on_either_side_of_its_neighbour() -> None:
    orders = [turned("abc", turn) for turn in range(6)]
    assert orders == [list("abc"), list("bca"), list("cab"), list("cba"), list("acb"), list("bac")]


def test_a_plan_that_a_way_may_not_have_ends_it(place: Place, askings: list[Asking], task: Task) -> None:
    truth = exact_results(place, askings, task)
    way = replace(PLAIN, scan=Scan(20, plan="exact"))
    with pytest.raises(RuntimeError, match=re.escape(f"plain: expected {HNSW.plan}, found {SEQUENTIAL}")):
        take(place, askings, task, truth, {way: Readings(1, 3)})


class Careless(Pool):
    """A pool that opens every session for a reader who may see everything."""

    @contextmanager
    def session(self, conn: Connection, reader: Reader) -> Iterator[Reading]:
        with super().session(conn, Principal("all", ())) as reading:
            yield replace(reading, tenants=reader.tenants)


def test_a_row_that_the_reader_may_not_see_ends_it(
    place: Place, store: Store, askings: list[Asking], task: Task, corpus: Corpus
) -> None:
    store.grant({"all": tuple(sorted({chunk.tenant for chunk in corpus.chunks}))})
    truth = exact_results(place, askings, task)
    careless = Place(Careless(store, sizes_of=place.layout.sizes_of), place.conn)
    with pytest.raises(RuntimeError, match=r"two was given .*, which it may not see"):
        take(careless, askings[1:], task, truth[1:], {PLAIN: Readings(1, 2)})
    with pytest.raises(RuntimeError, match="may not see"):
        exact_results(careless, askings, task)


def test_a_role_that_the_policy_does_not_bind_takes_no_reading(
    place: Place, store: Store, askings: list[Asking], task: Task
) -> None:
    with store.maintenance() as conn:
        conn.execute(f"SET search_path = {place.layout.schema}, {store.schema}".encode())
        with pytest.raises(RoleCanBypass, match="SUPERUSER"):
            take(Place(place.layout, conn), askings, task, [[]] * 3, {PLAIN: Readings(1, 3)})


def test_a_witness_counts_and_may_hold_rows_against_another_rule() -> None:
    witness = Witness(lambda reader, hit: hit.doc == "d")
    witness.check(Principal("r", ()), [Hit("a", "d", "t", 0.0)])
    assert (witness.rows, witness.searches) == (1, 1)
    with pytest.raises(RuntimeError, match="r was given b"):
        witness.check(Principal("r", ("t",)), [Hit("b", "e", "t", 0.0)])


def test_a_refill_doubles_the_list_until_the_page_is_full(place: Place, askings: list[Asking], task: Task) -> None:
    way = Way("refill", Scan(10), refill=True)
    into = {way: Readings(1, 1), PLAIN: Readings(1, 1)}
    foreign = [Asking(1, askings[0].principal)]
    take(place, foreign, task, exact_results(place, foreign, task), into)
    assert into[way]["kept"][0, 0] == 10 > into[PLAIN]["kept"][0, 0]
    assert longer(Scan(600)) == Scan(1000) and longer(Scan(1000)) is None


def test_a_way_may_depend_on_the_asking(place: Place, askings: list[Asking], task: Task) -> None:
    way = Way("own", lambda a: Scan(10 + a.query), where=lambda a: f"ordinal >= {a.query}")
    into = {way: Readings(1, 3)}
    truth = exact_results(place, askings, task)
    take(place, askings, task, truth, into)
    assert into[way]["ef_search"].tolist() == [[10, 17, 22]]
    assert all(
        int(hit.id[-4:]) >= a.query for a, hits in zip(askings, into[way].results[0], strict=True) for hit in hits
    )


def test_a_condition_of_the_task_is_in_every_statement(place: Place, askings: list[Asking], task: Task) -> None:
    task = replace(task, where="ordinal < 3")
    truth = exact_results(place, askings, task)
    assert [len(hits) for hits in truth] == [3, 6, 6]
    into = {NAMED: Readings(1, 3)}
    take(place, askings, task, truth, into)
    assert into[NAMED].results[0] == truth


def test_quality_says_what_is_missing_and_what_differs_by_build() -> None:
    readings = Readings(2, 2)
    hits = [Hit("a", "d", "t", 0.1), Hit("b", "d", "t", 0.05)]
    for build, kept in enumerate(([0, 2], [2, 2])):
        for asking, count in enumerate(kept):
            values = {
                "recall": count / 2,
                "kept": count,
                "wanted": 2,
                "unordered": inversions(hits[:count]),
                "scans": 1,
            }
            readings.put(build, asking, HNSW.plan, hits[:count], **values)
    found = readings.quality({"resamples": 100, "seed": 1})
    assert (found["recall"], found["recall_by_build"]) == (0.75, [0.5, 1.0])
    assert (found["empty"], found["empty_range"], found["short_range"]) == (0.5, [0.0, 1.0], [0.0, 1.0])
    assert (found["unordered"], found["plans"]) == (1.5, {HNSW.plan: 4})
    assert readings.distances()[1] == [0.05, 0.1]
