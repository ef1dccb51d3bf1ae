"""Text to terms, in a way that can be followed by eye and that leaves identifiers whole.

The rule, in one sentence: a term is a run of letters and digits, and runs joined by a *single* full stop,
hyphen or underscore are one term; everything is lower-cased; a closing ``'s`` is dropped.

===================================  =====================================================
text                                 terms
===================================  =====================================================
``TLS1.3, RFC8446 and 0x1301``       ``tls1.3`` ``rfc8446`` ``and`` ``0x1301``
``Cache-Control: max-age=3600``      ``cache-control`` ``max-age`` ``3600``
``TLS_AES_128_GCM_SHA256``           ``tls_aes_128_gcm_sha256``
``the server's (Section 4.2.1.)``    ``the`` ``server`` ``section`` ``4.2.1``
``Introduction......7``              ``introduction`` ``7``
``application/json; TCP/IP``         ``application`` ``json`` ``tcp`` ``ip``
===================================  =====================================================

The price of whole identifiers: ``max age`` does not find ``max-age``. ``Tokeniser(parts=True)`` emits the
parts of a joined term beside it; that doubles some evidence and lengthens passages, so it is not the default.
Stemming is off by default because a stemmer rewrites identifiers too. Stop words are kept by default: IDF
already makes them weigh next to nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

JOINTS = "._-"

Stemmer = Literal["none", "porter"]

_STOP_WORDS = """
a an and are as at be but by for if in into is it no not of on or such that the their then there these they
this to was will with
"""
ENGLISH_STOP_WORDS: frozenset[str] = frozenset(_STOP_WORDS.split())
"""Thirty-three function words; the set that Lucene's ``EnglishAnalyzer`` starts from."""


@dataclass(frozen=True)
class Tokeniser:
    """How text becomes terms; equal settings give equal terms.

    ``stop_words`` are dropped after lower-casing, before stemming. ``stem`` is ``"none"`` or ``"porter"``
    (Porter 1980, through PyStemmer; ``ModuleNotFoundError`` names it when it is missing). ``parts`` also
    emits the parts of a joined term, after the term itself. ``joints`` are the characters that join; without the
    hyphen, ``"._"``, terms come close to those of Lucene's standard tokenizer, to compare with its figures.
    """

    stop_words: frozenset[str] = frozenset()
    stem: Stemmer = "none"
    parts: bool = False
    joints: str = JOINTS

    def __call__(self, text: str) -> list[str]:
        """The terms of ``text`` in reading order, repetitions kept."""
        terms: list[str] = _pattern(self.joints).findall(text.lower())
        if self.parts:
            terms = [piece for term in terms for piece in _with_parts(term, self.joints)]
        if self.stop_words:
            terms = [term for term in terms if term not in self.stop_words]
        return terms if self.stem == "none" else porter()(terms)


def is_identifier(term: str) -> bool:
    """Whether ``term`` looks like a name rather than a word: it holds a digit and a letter, or a joint.

    ``rfc8446``, ``0x1301``, ``tls1.3``, ``max-age`` are identifiers; ``3600`` and ``server`` are not.
    """
    has_digit = any(character.isdigit() for character in term)
    has_letter = any(character.isalpha() for character in term)
    return has_letter and (has_digit or any(joint in term for joint in JOINTS))


@cache
def porter() -> Callable[[list[str]], list[str]]:
    """Porter's stemmer over a list of terms; raises ``ModuleNotFoundError`` without PyStemmer."""
    try:
        import Stemmer as pystemmer
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError("stemming needs PyStemmer: pip install PyStemmer") from missing
    stemmer = pystemmer.Stemmer("porter")

    def stem(terms: list[str]) -> list[str]:
        return [str(term) for term in stemmer.stemWords(terms)]

    return stem


@cache
def _pattern(joints: str) -> re.Pattern[str]:
    joined = f"(?:[{re.escape(joints)}][^\\W_]+)*" if joints else ""
    return re.compile(rf"([^\W_]+{joined})(?:['’]s\b)?")


def _with_parts(term: str, joints: str) -> list[str]:
    pieces = re.split(f"[{re.escape(joints)}]", term) if joints else [term]
    return [term, *pieces] if len(pieces) > 1 else [term]
