"""The request ceiling: a full bucket overshoots the first second, capacity 1 does not, whoever asks."""

import random
import threading
import time
from itertools import pairwise

import pytest

from harness.corpus.fetch.pace import Bucket, backoff
from harness.experiments.acquisition.clock import Clock


def releases(capacity: int, count: int, rate: float = 10.0) -> list[float]:
    clock = Clock()
    bucket = Bucket(rate, capacity, clock.sleep, clock)
    return [bucket.take() for _ in range(count)]


def test_a_full_bucket_nearly_doubles_the_first_second() -> None:
    assert sum(1 for at in releases(10, 40) if at < 1 - 1e-9) == 19


def test_a_bucket_of_capacity_one_keeps_the_ceiling_in_the_first_second() -> None:
    assert sum(1 for at in releases(1, 40) if at < 1 - 1e-9) == 10


def test_after_the_first_second_both_run_at_the_same_rate() -> None:
    for capacity in (1, 10):
        later = [at for at in releases(capacity, 40) if at >= 1 - 1e-9]
        assert [b - a for a, b in pairwise(later)] == pytest.approx([0.1] * (len(later) - 1))


def test_a_late_wake_up_does_not_shorten_the_next_gap() -> None:
    clock = Clock()
    bucket = Bucket(2.0, 1, lambda seconds: clock.sleep(seconds + 0.4), clock)
    times = [bucket.take() for _ in range(4)]
    assert min(b - a for a, b in pairwise(times)) >= 0.5


def test_an_idle_bucket_saves_up_no_more_than_its_capacity() -> None:
    clock = Clock()
    bucket = Bucket(1.0, 2, clock.sleep, clock)
    bucket.take()
    clock.sleep(100)
    assert [bucket.take() - 100 for _ in range(3)] == pytest.approx([0, 0, 1])


def test_a_hold_stops_every_worker() -> None:
    clock = Clock()
    bucket = Bucket(10.0, 5, clock.sleep, clock)
    bucket.hold(7)
    assert bucket.take() == pytest.approx(7)


def test_a_hold_that_comes_while_a_worker_waits_for_its_token_counts_for_it_too() -> None:
    clock = Clock()
    bucket: Bucket

    def sleep(seconds: float) -> None:
        clock.sleep(seconds)
        if len(clock.slept) == 1:
            bucket.hold(5)

    bucket = Bucket(1.0, 1, sleep, clock)
    assert [bucket.take(), bucket.take()] == pytest.approx([0, 6])


def test_many_workers_share_one_ceiling() -> None:
    bucket, times = Bucket(100.0), []

    def work() -> None:
        for _ in range(5):
            times.append(bucket.take())

    workers = [threading.Thread(target=work) for _ in range(6)]
    began = time.monotonic()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    times.sort()
    assert len(times) == 30
    assert min(b - a for a, b in pairwise(times)) >= 0.0099
    assert time.monotonic() - began >= 0.28


@pytest.mark.parametrize(("rate", "capacity"), [(0, 1), (-1, 1), (1, 0)])
def test_a_bucket_that_could_never_release_is_refused(rate: float, capacity: int) -> None:
    with pytest.raises(ValueError, match="expected a rate above 0"):
        Bucket(rate, capacity)


def test_back_off_has_full_jitter_under_a_ceiling_that_doubles_up_to_a_cap() -> None:
    draws = {attempt: [backoff(attempt, random.Random(seed)) for seed in range(200)] for attempt in (0, 2, 9)}
    for attempt, ceiling in ((0, 1.0), (2, 4.0), (9, 60.0)):
        assert all(0 <= wait <= ceiling for wait in draws[attempt])
        assert min(draws[attempt]) < 0.1 * ceiling
        assert max(draws[attempt]) > 0.9 * ceiling


def test_back_off_is_the_same_for_the_same_seed() -> None:
    assert [backoff(n, random.Random(7)) for n in range(4)] == [backoff(n, random.Random(7)) for n in range(4)]
