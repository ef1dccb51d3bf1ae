"""RFCs of the full corpus: the sixteen working groups of the first corpus and thirteen more, by the same rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.corpus.select import GROUPS, select_rfcs

MORE_GROUPS: dict[str, str] = {
    "bmwg": "Benchmarking Methodology",
    "dhc": "Dynamic Host Configuration",
    "dnsext": "DNS Extensions",
    "idr": "Inter-Domain Routing",
    "ippm": "IP Performance Measurement",
    "ipsec": "IP Security Protocol",
    "pkix": "Public-Key Infrastructure (X.509)",
    "pppext": "Point-to-Point Protocol Extensions",
    "radext": "RADIUS EXTensions",
    "sip": "Session Initiation Protocol",
    "smime": "S/MIME Mail Security",
    "tsvwg": "Transport Area Working Group",
    "v6ops": "IPv6 Operations",
}


def select_full_rfcs(mirror: Path) -> list[dict[str, Any]]:
    """Manifest entries of the RFCs, by number; the first corpus is a subset of them."""
    return [
        document | {"original_tenant": document["tenant"], "original_tenant_name": document["tenant_name"]}
        for document in select_rfcs(mirror, GROUPS | MORE_GROUPS)
    ]
