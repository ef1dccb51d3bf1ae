"""Two worlds for each question: one that holds the document that answers it, one that does not.

An outsider cannot be asked "is there something hidden?" of one corpus alone: there is always something hidden. So each
question has a world in which its source document stands behind the barrier, and one in which it does not exist. In the
first a *control* document is missing instead, of the same side and family and about as many chunks but of another
tenant: both worlds lack one hidden document of a kind, so that "the store has grown" is no clue, and only the answer to
this question is.
What the outsider may see is the same in both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from harness.corpus.model import Corpus, Query
from harness.entitlements.classification import SIDES, Label

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Held:
    """A question, the side that holds its document, and the document that is missing in its stead."""

    query: Query
    source: str
    side: str
    control: str

    @property
    def outside(self) -> str:
        """The side that may not see the document."""
        return SIDES[1 - SIDES.index(self.side)]


def held(corpus: Corpus, found: Mapping[str, Label]) -> list[Held]:
    """Return the questions that only one side can answer, in the order of their ids.

    Their evidence stands word for word in the source document and in no document of the other side.
    """
    texts = {doc: " ".join(document.text.split()) for doc, document in corpus.documents.items()}
    by_side = {side: [texts[doc] for doc, label in found.items() if label.side == side] for side in SIDES}
    size = Counter(chunk.doc for chunk in corpus.chunks)
    kept = []
    for query in sorted(corpus.queries, key=lambda query: query.id):
        if query.doc not in corpus.documents or not query.evidence:
            continue
        evidence, side = " ".join(query.evidence.split()), found[query.doc].side
        elsewhere = any(evidence in text for text in by_side[SIDES[1 - SIDES.index(side)]])
        if evidence in texts[query.doc] and not elsewhere and size[query.doc]:
            control = _control(corpus, found, size, query.doc, evidence, texts)
            if control:
                kept.append(Held(query, query.doc, side, control))
    return kept


def _control(
    corpus: Corpus,
    found: Mapping[str, Label],
    size: Mapping[str, int],
    source: str,
    evidence: str,
    texts: Mapping[str, str],
) -> str:
    """The document of the same side and family and another tenant whose number of chunks is nearest; ties by id."""
    tenant = corpus.documents[source].tenant
    fit = [
        doc
        for doc, document in corpus.documents.items()
        if document.tenant != tenant
        and found[doc].side == found[source].side
        and family(doc) == family(source)
        and size[doc]
    ]
    fit.sort(key=lambda doc: (abs(size[doc] - size[source]), doc))
    return next((doc for doc in fit if evidence not in texts[doc]), "")


def family(doc: str) -> str:
    """Return the letters that the id of a document begins with: "rfc", "cuad", "sec"."""
    return "".join(takewhile(str.isalpha, doc))


@dataclass(frozen=True)
class Rows:
    """The corpus as arrays, one entry a chunk: which document, whose side."""

    docs: NDArray[np.int64]
    sides: NDArray[np.int64]
    number: Mapping[str, int]

    @classmethod
    def of(cls, corpus: Corpus, found: Mapping[str, Label]) -> Rows:
        """Return the arrays of a corpus."""
        number = {doc: place for place, doc in enumerate(sorted(corpus.documents))}
        docs = np.array([number[chunk.doc] for chunk in corpus.chunks], dtype=np.int64)
        sides = np.array([SIDES.index(found[chunk.doc].side) for chunk in corpus.chunks], dtype=np.int64)
        return cls(docs, sides, number)

    def present(self, question: Held) -> Mask:
        """Return which chunks exist in the world with the source document."""
        mask: Mask = self.docs != self.number[question.control]
        return mask

    def absent(self, question: Held) -> Mask:
        """Return which chunks exist in the world without it."""
        mask: Mask = self.docs != self.number[question.source]
        return mask

    def visible(self, question: Held) -> Mask:
        """Return which chunks the outsider may see."""
        mask: Mask = self.sides == SIDES.index(question.outside)
        return mask


def halves(questions: Sequence[Held], side: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the source documents of one side in two halves, taken in turn by id: one table lacks the first half,
    another the second."""
    sources = sorted({question.source for question in questions if question.side == side})
    return frozenset(sources[::2]), frozenset(sources[1::2])
