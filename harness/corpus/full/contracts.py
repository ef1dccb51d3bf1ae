"""The contracts of CUAD v1 (The Atticus Project): all 510 of them, a contract type as the tenant.

The text files carry no type; the type is read from the file name, as the collection names its folders of PDFs,
and where the name says nothing from the "Document Name" that the annotators marked. The rules are tried in
order, so "co-branding agreement, agency agreement" is a co-branding agreement. Counterparty would be the more
natural tenant, but it gives about one document each.
"""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from harness.corpus.full.entries import entry, slug
from harness.errors import HarnessError

ROOT = (
    "raw.githubusercontent.com/maastrichtlawtech/law3027-advanced-legal-analytics/"
    "77c8f5a3cc2e6e5e3793b43f84a3bc097a414f9e/data/CUAD_v1"
)
LICENCE = "CUAD v1, The Atticus Project, CC BY 4.0"

TYPES: tuple[tuple[str, str, str], ...] = (
    ("affiliate", "Affiliate agreements", r"affiliate"),
    ("co-branding", "Co-branding agreements", r"co-?branding"),
    ("agency", "Agency agreements", r"agency"),
    ("strategic-alliance", "Strategic alliance agreements", r"alliance"),
    ("joint-venture", "Joint venture and joint filing agreements", r"joint venture|joint filing"),
    ("collaboration", "Collaboration and cooperation agreements", r"collaborat|cooperation"),
    ("consulting", "Consulting agreements", r"consult"),
    ("non-compete", "Non-compete agreements", r"non-?compet|competition|solicit"),
    ("franchise", "Franchise agreements", r"franchis"),
    ("hosting", "Hosting agreements", r"hosting"),
    ("outsourcing", "Outsourcing agreements", r"outsourc"),
    ("reseller", "Reseller agreements", r"resell"),
    ("distributor", "Distributor agreements", r"distribut"),
    ("endorsement", "Endorsement agreements", r"endors"),
    ("sponsorship", "Sponsorship agreements", r"sponsor"),
    ("maintenance", "Maintenance agreements", r"maintenance|support"),
    ("manufacturing", "Manufacturing agreements", r"manufactur"),
    ("development", "Development agreements", r"develop"),
    ("intellectual-property", "Intellectual property agreements", r"intellectual property|patent|\bip\b"),
    ("license", "License agreements", r"licen[sc]"),
    ("marketing", "Marketing agreements", r"marketing"),
    ("promotion", "Promotion agreements", r"promotion"),
    ("transportation", "Transportation agreements", r"transport"),
    ("supply", "Supply agreements", r"supply"),
    ("service", "Service agreements", r"servic"),
)
"""(id, name, what the file name must hold), tried in this order."""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def contract_type(name: str, document_name: str = "") -> tuple[str, str]:
    """(tenant id, tenant name) of a contract by its file name, else by what the annotators call the document."""
    lower = name.lower()
    tail = re.search(r"ex-?[\w.()]+[-_ ](?!.*ex-)(.*)$", lower)
    for text in (tail[1] if tail else lower, lower, document_name.lower()):
        for ident, title, pattern in TYPES:
            if re.search(pattern, text):
                return f"cuad-{ident}", title
    raise HarnessError(f"{name}: no contract type in its name; add a rule to harness/corpus/full/contracts.py")


def select_contracts(mirror: Path) -> list[dict[str, Any]]:
    """Manifest entries of every contract in the mirror, in file-name order."""
    folder = mirror / ROOT / "full_contract_txt"
    with (mirror / ROOT / "master_clauses.csv").open(encoding="utf-8", newline="") as stream:
        named = {_plain(row["Filename"][:-4]): row["Document Name-Answer"].strip() for row in csv.DictReader(stream)}
    made: list[dict[str, Any]] = []
    used: set[str] = set()
    for path in sorted(folder.glob("*.txt")):
        name = unquote(path.stem)
        document_name = named.get(_plain(name), "")
        ident = _unused(f"cuad-{slug(name)}", used)
        company = re.split(r"_\d|_ ?\d| - ", name)[0].strip(" _")
        title = f"{document_name or contract_type(name)[1]} ({company})"
        tenant = contract_type(name, document_name)
        made.append(entry(mirror, path, name=ident, source="contract", title=title, tenant=tenant, licence=LICENCE))
    return made


def _unused(ident: str, used: set[str]) -> str:
    """``ident``, numbered when another document has it already (names that differ only at their end)."""
    found, number = ident, 1
    while found in used:
        number += 1
        found = f"{ident}-{number}"
    used.add(found)
    return found
