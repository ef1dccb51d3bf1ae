"""Which documents make the first corpus, as a rule that can be run again over a mirror.

Sixteen IETF working groups; of each all its RFCs, or, when it has more than twenty, twenty spread evenly over
its list in number order, so that old documents (with page breaks) and new ones (without) are both in it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RFC_HOST = "www.rfc-editor.org"
LICENCE = "IETF Trust Legal Provisions (whole documents may be copied; excerpts with attribution)"
PER_GROUP = 20

GROUPS: dict[str, str] = {
    "6man": "IPv6 Maintenance",
    "822ext": "Internet Message Extensions",
    "acme": "Automated Certificate Management Environment",
    "core": "Constrained RESTful Environments",
    "dnsop": "Domain Name System Operations",
    "http": "HyperText Transfer Protocol",
    "httpbis": "HTTP",
    "ipsecme": "IP Security Maintenance and Extensions",
    "jose": "Javascript Object Signing and Encryption",
    "netconf": "Network Configuration",
    "oauth": "Web Authorization Protocol",
    "quic": "QUIC",
    "sidr": "Secure Inter-Domain Routing",
    "sieve": "Sieve Mail Filtering Language",
    "tcpm": "TCP Maintenance and Minor Extensions",
    "tls": "Transport Layer Security",
}
"""Tenant id (the group's IETF acronym) → the name that the RFC's own metadata carries."""


def spread(items: list[int], limit: int) -> list[int]:
    """At most ``limit`` of ``items``, evenly spaced, first and last included."""
    if len(items) <= limit:
        return items
    step = (len(items) - 1) / (limit - 1)
    return [items[round(index * step)] for index in range(limit)]


def select_rfcs(mirror: Path, groups: Mapping[str, str] = GROUPS) -> list[dict[str, Any]]:
    """Manifest entries for the rule above over ``groups``, read from ``mirror``; ordered by RFC number."""
    folder = mirror / RFC_HOST / "rfc"
    tenant_of = {name: tenant for tenant, name in groups.items()}
    members: dict[str, dict[int, dict[str, Any]]] = {tenant: {} for tenant in groups}
    for path in sorted(folder.glob("rfc*.json")):
        metadata = json.loads(path.read_text("utf-8"))
        tenant = tenant_of.get(metadata.get("source", ""))
        if tenant and path.with_suffix(".txt").exists():
            members[tenant][int(path.stem[3:])] = metadata
    chosen = [
        (number, tenant, by_number[number])
        for tenant, by_number in members.items()
        for number in spread(sorted(by_number), PER_GROUP)
    ]
    return [
        _entry(folder, number, (tenant, groups[tenant]), metadata)
        for number, tenant, metadata in sorted(chosen, key=lambda c: c[0])
    ]


def _entry(folder: Path, number: int, tenant: tuple[str, str], metadata: dict[str, Any]) -> dict[str, Any]:
    text = (folder / f"rfc{number}.txt").read_bytes()
    about = (folder / f"rfc{number}.json").read_bytes()
    return {
        "id": f"rfc{number}",
        "source": "rfc",
        "title": re.sub(r"\s+", " ", metadata["title"]).strip(),
        "url": f"https://{RFC_HOST}/rfc/rfc{number}.txt",
        "sha256": hashlib.sha256(text).hexdigest(),
        "bytes": len(text),
        "pages": int(metadata["page_count"]) if str(metadata.get("page_count") or "").isdigit() else None,
        "tenant": tenant[0],
        "tenant_name": tenant[1],
        "licence": LICENCE,
        "obsoletes": sorted(name.strip().lower() for name in metadata.get("obsoletes", [])),
        "obsoleted_by": sorted(name.strip().lower() for name in metadata.get("obsoleted_by", [])),
        "metadata": {
            "url": f"https://{RFC_HOST}/rfc/rfc{number}.json",
            "sha256": hashlib.sha256(about).hexdigest(),
        },
    }


def write_manifest(mirror: Path, out: Path) -> int:
    """Write the manifest of :func:`select_rfcs` to ``out``; returns how many documents it names."""
    entries = select_rfcs(mirror)
    body = json.dumps({"version": 1, "documents": entries}, indent=1, ensure_ascii=False)
    out.write_text(body + "\n", "utf-8")
    return len(entries)
