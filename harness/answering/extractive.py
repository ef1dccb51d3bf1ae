"""An answerer that only quotes: the sentences of the context that hold most of the question, word for word.

    score(sentence) = coverage(sentence) + cosine(passage)

``coverage`` is the share of the question's weight that the sentence holds: each distinct content word weighs its rarity
(the IDF of BM25 over the passages), and counts as held when the sentence has a word of the same stem. A word that no
passage holds weighs most, and is never covered. ``cosine`` is that of the question's vector and its passage's. Both lie
between 0 and 1 in practice, and no weight is fitted.

The answerer understands nothing. It cannot combine two sentences, and a sentence that repeats the question beats one
that answers it in other words. What it offers: a quote is verbatim by construction, every score can be taken apart, and
one number can be held against a floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from harness.answering.sentences import Sentence, sentences
from harness.corpus.model import Chunk
from harness.retrieval.bm25 import Index
from harness.retrieval.bm25_formulas import idf_lucene
from harness.retrieval.terms import ENGLISH_STOP_WORDS, Tokeniser

_ASKING = """
can could do does how i may me must should what when where which who whose why would
"""
QUESTION_WORDS: frozenset[str] = frozenset(_ASKING.split())
"""Words that ask and do not name what is asked about."""

QUOTES = 3
"""Sentences quoted at most."""


@dataclass(frozen=True)
class Quote:
    """A sentence quoted: the slice ``[start, end)`` of the chunk's text, with its score taken apart."""

    chunk: str
    start: int
    end: int
    text: str
    coverage: float
    cosine: float

    @property
    def score(self) -> float:
        """coverage + cosine."""
        return self.coverage + self.cosine


@dataclass(frozen=True)
class Answer:
    """The quotes, best first; ``declined`` when the best of them scores below the floor, or there is none."""

    quotes: tuple[Quote, ...]
    declined: bool

    @property
    def score(self) -> float:
        """The best quote's score, 0 without any."""
        return self.quotes[0].score if self.quotes else 0.0


@dataclass(frozen=True)
class Answerer:
    """Quotes from passages; ``index`` says how rare a word is."""

    index: Index
    _kept: dict[str, list[tuple[Sentence, frozenset[str]]]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _plain(self) -> Tokeniser:
        return Tokeniser(stop_words=ENGLISH_STOP_WORDS | QUESTION_WORDS)

    @cached_property
    def _stemmed(self) -> Tokeniser:
        return Tokeniser(stop_words=ENGLISH_STOP_WORDS | QUESTION_WORDS, stem="porter")

    def weights(self, question: str) -> dict[str, float]:
        """Stem → weight, the weights adding up to 1; {} for a question of stop words only."""
        found: dict[str, float] = {}
        for term, stem in zip(self._plain(question), self._stemmed(question), strict=True):
            weight = idf_lucene(len(self.index.ids), self.index.df(term))
            found[stem] = max(weight, found.get(stem, 0.0))
        total = sum(found.values())
        return {stem: weight / total for stem, weight in found.items()} if total else {}

    def candidates(self, question: str, context: Sequence[tuple[Chunk, float]]) -> list[Quote]:
        """Every sentence of the context, best first; ``context`` is (chunk, its cosine to the question).

        Sentences that occur twice (windows overlap) are given once, from the passage that comes first. Equal scores
        fall by the order of the context, then by position.
        """
        weights = self.weights(question)
        found: dict[str, Quote] = {}
        for chunk, cosine in context:
            for sentence, stems in self._sentences(chunk):
                coverage = sum(weight for stem, weight in weights.items() if stem in stems)
                quote = Quote(chunk.id, sentence.start, sentence.end, sentence.text, coverage, cosine)
                found.setdefault(sentence.text, quote)
        return sorted(found.values(), key=lambda quote: -round(quote.score, 6))

    def answer(
        self, question: str, context: Sequence[tuple[Chunk, float]], floor: float = 0.0, quotes: int = QUOTES
    ) -> Answer:
        """The best ``quotes`` sentences; declined when even the best of them scores below ``floor``."""
        best = tuple(self.candidates(question, context)[:quotes])
        return Answer(best, declined=not best or best[0].score < floor)

    def _sentences(self, chunk: Chunk) -> list[tuple[Sentence, frozenset[str]]]:
        if chunk.id not in self._kept:
            self._kept[chunk.id] = [(one, frozenset(self._stemmed(one.text))) for one in sentences(chunk.text)]
        return self._kept[chunk.id]
