"""The vector cache: a repeated text is free, a new model misses, an interrupted run keeps what it made."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from harness.embedding import cache as module
from harness.embedding.cache import VectorCache, Vectors, key, normalise


class Counting:
    """An encoder that counts what it is asked, and may fail after some calls."""

    def __init__(self, sha256: str = "m1", fail_after: int = 10**9) -> None:
        self.sha256 = sha256
        self.seen: list[str] = []
        self.fail_after = fail_after

    def encode(self, texts: Sequence[str]) -> Vectors:
        if len(self.seen) + len(texts) > self.fail_after:
            raise KeyboardInterrupt
        self.seen += texts
        return np.array([[len(text), 1.0] for text in texts], dtype=np.float32)


def test_rows_come_back_in_the_order_asked(tmp_path: Path) -> None:
    texts = ["three", "a", "four words stand here", "a"]
    vectors = VectorCache(tmp_path / "v.sqlite").embed(texts, Counting())
    assert vectors[:, 0].tolist() == [5, 1, 21, 1]


def test_a_repeated_text_is_encoded_once_also_across_runs(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    VectorCache(tmp_path / "v.sqlite").embed(["a", "b  b", "b b", "a"], first)
    assert sorted(first.seen) == ["a", "b b"]
    VectorCache(tmp_path / "v.sqlite").embed(["b\nb", "c"], second)
    assert second.seen == ["c"]


def test_another_model_misses(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path / "v.sqlite")
    cache.embed(["a"], Counting("m1"))
    other = Counting("m2")
    cache.embed(["a"], other)
    assert other.seen == ["a"]


def test_an_interrupted_run_keeps_what_it_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAVE_EVERY", 2)
    texts = ["x" * (number + 1) for number in range(6)]
    with pytest.raises(KeyboardInterrupt):
        VectorCache(tmp_path / "v.sqlite").embed(texts, Counting(fail_after=4))
    resumed = Counting()
    VectorCache(tmp_path / "v.sqlite").embed(texts, resumed)
    assert resumed.seen == texts[4:]


def test_white_space_does_not_make_a_new_key_but_case_does() -> None:
    assert key("m", " a\n b ") == key("m", "a b") != key("m", "A b")
    assert normalise(" a\n\tb ") == "a b"
