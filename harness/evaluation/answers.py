"""What counts as a right answer to a golden question: a quote of the sentence the question was drafted from.

**Strict**: another sentence may answer as well, and a reader may find the answer beside the sentence quoted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


def quotes_evidence(evidence: str | None, quotes: Iterable[str]) -> bool:
    """Whether a quote holds the evidence word for word, or is a part of it; white space folded.

    A part counts because the evidence may run over two sentences. False without evidence.
    """
    wanted = _folded(evidence or "")
    return bool(wanted) and any(wanted in text or text in wanted for text in map(_folded, quotes) if text)


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
