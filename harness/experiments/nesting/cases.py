"""The documents of ``data/nesting/cases.json``, each in the frame of a whole page."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from harness.errors import HarnessError
from harness.paths import ROOT

CASES = "data/nesting/cases.json"
_HEAD = '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Case</title></head><body>'


@dataclass(frozen=True)
class Case:
    """One document: ``html`` is the content of the body, ``says`` what it shows in one sentence."""

    id: str
    group: str
    html: str
    says: str

    @property
    def page(self) -> str:
        """The whole page, with doctype and every document tag, so that nothing but the body is in question."""
        return f"{_HEAD}{self.html}</body></html>"

    def pages_by_token(self) -> list[tuple[str, str]]:
        """Every tag and text of the body with the page as far as its end: what a parser has seen by then."""
        tokens = re.findall(r"<[^>]*>|[^<]+", self.html)
        return [(token, _HEAD + "".join(tokens[: place + 1])) for place, token in enumerate(tokens)]


def read_cases() -> list[Case]:
    """All cases in the order of the file; HarnessError when two have one id."""
    cases = [Case(**entry) for entry in json.loads((ROOT / CASES).read_text("utf-8"))]
    ids = [case.id for case in cases]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise HarnessError(f"{CASES}: the id {twice[0]!r} stands twice")
    return cases
