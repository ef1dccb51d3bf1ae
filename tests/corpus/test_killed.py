"""A run killed in the middle, again and again, ends with the cache of an unbroken one."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from functools import partial
from pathlib import Path

from harness.corpus.fetch.place import document_path, part_path, size_of
from harness.experiments.acquisition.child import start
from harness.experiments.acquisition.documents import made
from harness.experiments.acquisition.server import Act, Server

DOCS = made(12)
BODIES = {item.path: item.body for item in DOCS}
PATIENT = 300.0
"""Seconds: a busy machine takes its time to start a process."""


def content(cache: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (cache / "documents").iterdir()}


def unbroken(cache: Path) -> dict[str, bytes]:
    with Server(BODIES) as server:
        assert start([item.at(server.url) for item in DOCS], cache, rate=200).wait(PATIENT) == 0
    return content(cache)


def test_a_run_killed_three_times_within_a_body_ends_with_the_cache_of_an_unbroken_run(tmp_path: Path) -> None:
    cache = tmp_path / "broken"
    places = {index: (threading.Event(), threading.Event()) for index in (2, 5, 9)}

    def hold(index: int) -> None:
        reached, killed = places[index]
        reached.set()
        killed.wait(PATIENT)

    acts = {DOCS[index].path: [Act("call", hook=partial(hold, index))] for index in places}
    with Server(BODIES, acts) as server:
        docs = [item.at(server.url) for item in DOCS]
        for index, (reached, killed) in places.items():
            run = start(docs, cache, rate=200)
            assert reached.wait(PATIENT)
            part = part_path(document_path(cache, DOCS[index].sha256))
            ends = time.monotonic() + PATIENT
            while size_of(part) < DOCS[index].bytes // 2 and time.monotonic() < ends:
                time.sleep(0.01)
            run.kill()
            assert run.wait(PATIENT) == -signal.SIGKILL
            killed.set()
            assert size_of(part) == DOCS[index].bytes // 2
        last = start(docs, cache, rate=200)
        outcomes = [outcome["state"] for outcome in json.loads(last.communicate(timeout=PATIENT)[0])]
        assert outcomes == ["present"] * 9 + ["fetched"] * 3
        resumed = [served for served in server.log() if served.status == 206]
        assert [served.path for served in resumed] == [DOCS[index].path for index in places]
        assert sum(served.sent for served in server.log()) == sum(item.bytes for item in DOCS)
    assert content(cache) == unbroken(tmp_path / "whole")


def test_a_run_killed_at_random_moments_with_four_workers_ends_the_same(tmp_path: Path) -> None:
    cache, chance = tmp_path / "broken", random.Random(20261130)
    with Server(BODIES) as server:
        docs = [item.at(server.url) for item in DOCS]
        for _ in range(3):
            before = len(server.log())
            run = start(docs, cache, rate=40, workers=4)
            while len(server.log()) < before + 1 and run.poll() is None:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.1))
            run.kill()
            run.wait(PATIENT)
            for item in DOCS:  # whatever the moment, what bears a document's name is that document
                path = document_path(cache, item.sha256)
                assert not path.exists() or path.read_bytes() == item.body
        assert start(docs, cache, rate=200).wait(PATIENT) == 0
    assert content(cache) == unbroken(tmp_path / "whole")
