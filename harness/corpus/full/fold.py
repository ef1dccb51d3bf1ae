"""Small tenants join a sibling of the same kind, so that no tenant is too small to be measured.

A tenant with a handful of passages says nothing about search under access control: every index scan misses it.
A hash bucket would be large enough and would destroy what real tenants have, a subject of their own. So a tenant
below the limit joins the one that :data:`SIBLINGS` names, its closest relative by subject, and each document
keeps the tenant it came with as ``original_tenant``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.errors import HarnessError

LEAST = 500
"""Passages that a tenant must have."""

SIBLINGS: dict[str, str] = {
    # working groups
    "acme": "tls",
    # contract types
    "cuad-non-compete": "cuad-consulting",
    "cuad-consulting": "cuad-service",
    "cuad-affiliate": "cuad-marketing",
    "cuad-joint-venture": "cuad-strategic-alliance",
    "cuad-endorsement": "cuad-sponsorship",
    "cuad-marketing": "cuad-promotion",
    "cuad-reseller": "cuad-distributor",
    # companies, by what they sell
    "sec-aapl": "sec-goog",
    "sec-adbe": "sec-pltr",
    "sec-ai": "sec-pltr",
    "sec-amzn": "sec-wmt",
    "sec-cmcsa": "sec-meta",
    "sec-gd": "sec-ba",
    "sec-gme": "sec-nke",
    "sec-hd": "sec-low",
    "sec-ibm": "sec-adbe",
    "sec-mara": "sec-v",
    "sec-mcd": "sec-sjm",
    "sec-nvda": "sec-amd",
    "sec-pg": "sec-cl",
    "sec-tmo": "sec-abt",
    "sec-tsla": "sec-ba",
    "sec-txn": "sec-amd",
    "sec-unh": "sec-abt",
}
"""Tenant → the tenant of the nearest subject, which it joins when it is too small."""


def fold(counts: Mapping[str, int], siblings: Mapping[str, str], least: int = LEAST) -> dict[str, str]:
    """Original tenant → final tenant, such that every final one has at least ``least`` passages.

    ``counts`` are passages a tenant. The smallest tenant below the limit joins its sibling first (ties by name), and
    so on with the sums. HarnessError when one that is too small has no sibling, or its sibling joined it.
    """
    final = {tenant: tenant for tenant in counts}
    sums = dict(counts)
    while small := sorted((count, tenant) for tenant, count in sums.items() if count < least):
        count, tenant = small[0]
        if tenant not in siblings:
            raise HarnessError(f"tenant {tenant}: {count} passages, fewer than {least}, and no sibling to join")
        into = final.get(siblings[tenant], "")
        if into in ("", tenant):
            raise HarnessError(f"tenant {tenant}: its sibling {siblings[tenant]} is unknown or joined it before")
        sums[into] += sums.pop(tenant)
        final = {original: into if now == tenant else now for original, now in final.items()}
    return final


def folded(
    documents: list[dict[str, Any]], counts: Mapping[str, int], siblings: Mapping[str, str] = SIBLINGS
) -> list[dict[str, Any]]:
    """The manifest entries with their final tenants; the original ones stay beside them. ``counts`` by document id."""
    tenants: dict[str, int] = {}
    names: dict[str, str] = {}
    for document in documents:
        if document["id"] in counts:
            tenant = document["original_tenant"]
            tenants[tenant] = tenants.get(tenant, 0) + counts[document["id"]]
            names[tenant] = document["original_tenant_name"]
    final = fold(tenants, siblings)
    made = []
    for document in documents:
        tenant = final.get(document["original_tenant"], document["original_tenant"])
        name = names.get(tenant, document["original_tenant_name"])
        made.append(document | {"tenant": tenant, "tenant_name": name})
    return made
