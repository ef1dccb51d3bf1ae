"""Text to shingles: every run of ``width`` consecutive words, as a 64-bit number.

A word is a run of letters and digits after compatibility normalisation and case folding. White space, line ends,
case, punctuation and typographic variants of one character therefore make no difference; the words and their order
do. Shingles as in Broder, "On the resemblance and containment of documents" (1997); as sets, so a sentence that is
repeated counts once.

Two different shingles get the same number with a probability of one in 2^64: among ten million of them a collision
is expected in about three corpora of a million.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

import numpy as np
import numpy.typing as npt

WIDTH = 5
WORD = re.compile(r"[^\W_]+")
UNSEEN = {0xAD: None, 0x200B: None, 0x200C: None, 0x200D: None, 0xFEFF: None}
"""Soft hyphens, zero-width characters and byte-order marks: not read, so not to be told apart either."""

Hashes = npt.NDArray[np.uint64]


def words(text: str) -> list[str]:
    """The words of ``text`` in reading order, repetitions kept."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(UNSEEN))
    return WORD.findall(text.casefold())


def mixed(values: Hashes) -> Hashes:
    """Each number spread over all 64 bits, one to one (the finaliser of SplitMix64, Steele et al. 2014)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


class _Numbers(dict[str, int]):
    """Word → 64 bits of its BLAKE2 digest, computed once a word."""

    def __missing__(self, word: str) -> int:
        value = self[word] = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        return value


class Shingler:
    """Makes shingles of one ``width``; keep it over a corpus, it remembers the words it has met."""

    def __init__(self, width: int = WIDTH) -> None:
        if width < 1:
            raise ValueError(f"a shingle of {width} words; expected at least 1")
        self.width = width
        self._numbers = _Numbers()

    def running(self, text: str) -> Hashes:
        """The shingles in reading order, repetitions kept: ``max(0, words - width + 1)`` of them."""
        found = words(text)
        count = len(found) - self.width + 1
        if count <= 0:
            return np.empty(0, dtype=np.uint64)
        numbers = np.fromiter(map(self._numbers.__getitem__, found), dtype=np.uint64, count=len(found))
        made = np.zeros(count, dtype=np.uint64)
        for step in range(self.width):
            made = mixed(made + numbers[step : step + count])
        return made

    def __call__(self, text: str) -> Hashes:
        """The set of shingles: sorted, each once. Empty for a text of fewer words than the width."""
        return np.unique(self.running(text))
