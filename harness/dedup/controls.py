"""Texts whose containment is known beforehand: a document put into another, printed another way, or damaged."""

from __future__ import annotations

import random
import re
import textwrap

TYPOGRAPHIC = str.maketrans({"'": "’", '"': "”", "-": "–", "\u00a0": " "})
LONG_WORD = re.compile(r"\b([^\W\d_]{4})([^\W\d_]{4,})\b")


def embedded(inner: str, host: str) -> str:
    """``host`` with ``inner`` put between two of its paragraphs, near the middle."""
    at = host.find("\n\n", len(host) // 2)
    at = len(host) if at < 0 else at
    return f"{host[:at]}\n\n{inner}\n\n{host[at:]}"


def reformatted(text: str, columns: int = 50) -> str:
    """The same words in capitals, in lines of another length with blank lines between, in typographic characters."""
    lines = textwrap.wrap(text, columns, break_long_words=False, break_on_hyphens=False)
    return "\n\n\t".join(lines).upper().translate(TYPOGRAPHIC).replace("...", "…")


def hyphenated(text: str, every: int = 40) -> str:
    """The same text with one long word in ``every`` divided at a line end, as a printer divides it."""
    seen = 0

    def divide(match: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        return f"{match[1]}-\n{match[2]}" if seen % every == 0 else match[0]

    return LONG_WORD.sub(divide, text)


def replaced(text: str, share: float, seed: int) -> str:
    """The words of ``text`` with each one replaced, with probability ``share``, by a word that stands nowhere else."""
    draw = random.Random(seed)
    return " ".join(f"zq{number}zq" if draw.random() < share else word for number, word in enumerate(text.split()))
