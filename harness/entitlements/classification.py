"""A classification and a side for every document, assigned by rule from what the document really is.

No document of the corpus carries a classification, and none was ever behind an information barrier. The rules here
take attributes that the documents do have (the category on an RFC's title page, passages that a contract leaves out
for confidential treatment, the fiscal year of an annual report) and map them to three levels. That makes the labels
uneven and correlated with content, as real ones are; it does not make them real.

The side is the place of the document among those of its tenant, in the order of their ids: first north, second south,
and so on. Neighbours in subject therefore stand on both sides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.corpus.model import Corpus, Document

#: Classification, lowest first; a reader with a clearance sees its level and those below it.
LEVELS = ("open", "internal", "restricted")
SIDES = ("north", "south")

#: Rule → what it says, and the level it assigns. The first rule that holds decides.
RULES: dict[str, tuple[str, int]] = {
    "rfc_standard": ("RFC whose title page says Standards Track or Best Current Practice", 0),
    "rfc_informational": ("RFC whose title page says Informational", 1),
    "rfc_other": ("RFC of another category", 2),
    "rfc_printed": ("RFC that names no category, printed in pages", 2),
    "rfc_unpaged": ("RFC that names no category and has no pages", 0),
    "contract_redacted": ("contract with passages left out for confidential treatment", 2),
    "contract_confidential": ("other contract that speaks of confidentiality", 1),
    "contract_plain": ("contract that does not speak of confidentiality", 0),
    "filing_latest": ("annual report of the latest fiscal year in the corpus", 1),
    "filing_earlier": ("annual report of an earlier fiscal year", 0),
    "other": ("document of another family", 0),
}

_CATEGORY = re.compile(r"^ *Category: *([A-Za-z]+(?: [A-Za-z]+)*)", re.MULTILINE)
_REDACTED = re.compile(r"\[\*+\]|\*{3,}|confidential treatment", re.IGNORECASE)
_FISCAL_YEAR = re.compile(r"fiscal year (\d{4})")
#: Characters in which the title page of an RFC stands.
TITLE_PAGE = 3_000


@dataclass(frozen=True)
class Label:
    """What the rules assign to a document: its level (0 to 2), its side, and the rule that decided the level."""

    level: int
    side: str
    rule: str

    def groups(self, tenant: str) -> list[str]:
        """Return the entitlement groups that may read it: tenant, side and clearance in one word each.

        A group stands for one whole conjunction, so overlap with the groups of a reader decides all three conditions
        at once.
        """
        return [group(tenant, self.side, clearance) for clearance in range(self.level, len(LEVELS))]


def group(tenant: str, side: str, clearance: int) -> str:
    """Return the name of the group of readers of a tenant on a side with a clearance."""
    return f"{tenant}/{side}:{clearance}"


def labels(corpus: Corpus) -> dict[str, Label]:
    """Return the label of every document of the corpus, by id."""
    documents = sorted(corpus.documents.values(), key=lambda document: document.id)
    latest = max(map(_fiscal_year, documents), default="")
    side = _sides(documents)
    found = {}
    for document in documents:
        rule = rule_of(document, latest)
        found[document.id] = Label(RULES[rule][1], side[document.id], rule)
    return found


def rule_of(document: Document, latest: str) -> str:
    """Return the rule that decides the level of a document; `latest` is the latest fiscal year of the corpus."""
    family = re.match(r"rfc|cuad-|sec-", document.id)
    if family is None:
        return "other"
    if family[0] == "cuad-":
        if _REDACTED.search(document.text):
            return "contract_redacted"
        return "contract_confidential" if "confidential" in document.text.lower() else "contract_plain"
    if family[0] == "sec-":
        return "filing_latest" if _fiscal_year(document) == latest else "filing_earlier"
    category = _CATEGORY.search(document.text[:TITLE_PAGE])
    if category is None:
        return "rfc_printed" if document.pages else "rfc_unpaged"
    named = category[1].lower()
    if named.startswith(("standards track", "best current practice")):
        return "rfc_standard"
    return "rfc_informational" if named.startswith("informational") else "rfc_other"


def by_rule(found: Mapping[str, Label], chunks: Iterable[str]) -> list[dict[str, object]]:
    """Return one row a rule that decided anything: its words, level, documents and chunks.

    `chunks` holds the document of every chunk.
    """
    owner = list(chunks)
    rows: list[dict[str, object]] = []
    for rule, (words, level) in RULES.items():
        ids = {doc for doc, label in found.items() if label.rule == rule}
        if ids:
            rows.append(
                {
                    "rule": rule,
                    "words": words,
                    "level": LEVELS[level],
                    "documents": len(ids),
                    "chunks": sum(doc in ids for doc in owner),
                }
            )
    return rows


def _fiscal_year(document: Document) -> str:
    found = _FISCAL_YEAR.search(document.title) if document.id.startswith("sec-") else None
    return found[1] if found else ""


def _sides(documents: Sequence[Document]) -> dict[str, str]:
    """Alternate within each tenant, in the order of ids."""
    seen: dict[str, int] = {}
    side = {}
    for document in documents:
        place = seen.get(document.tenant, 0)
        seen[document.tenant] = place + 1
        side[document.id] = SIDES[place % len(SIDES)]
    return side
