"""Structured data: records of schema.org as text that is safe inside a script element."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.model import ConceptPage, PageRef

LICENSE = "https://opensource.org/license/mit"


def script_json(record: Mapping[str, Any]) -> Markup:
    """The record as JSON; ``<`` is escaped, so it cannot end the script."""
    text = json.dumps(record, ensure_ascii=False, sort_keys=True, indent=1)
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))


def learning_resource(page: ConceptPage, site: str, base_url: str) -> Markup:
    """schema.org LearningResource: what a concept page teaches and what it asks for (Course's ``coursePrerequisites``
    has no counterpart here; ``competencyRequired`` is the property of a LearningResource)."""
    record: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "LearningResource",
        "name": page.title,
        "description": page.summary,
        "inLanguage": "en",
        "isAccessibleForFree": True,
        "isPartOf": {"@type": "WebSite", "name": site} | ({"url": base_url} if base_url else {}),
        "learningResourceType": "concept page with measured examples",
        "license": LICENSE,
        "teaches": {"@type": "DefinedTerm", "name": page.title} | _aliases(page),
    }
    if page.updated:
        record["dateModified"] = page.updated
    if page.before:
        record["competencyRequired"] = [_term(ref, base_url) for ref in page.before]
    if base_url:
        record["url"] = f"{base_url}concepts/{page.slug}/"
        record["isBasedOn"] = [base_url + entry.url.removesuffix("index.html") for entry in page.datasets]
    return script_json(record)


def _aliases(page: ConceptPage) -> dict[str, Any]:
    return {"alternateName": list(page.aliases)} if page.aliases else {}


def _term(ref: PageRef, base_url: str) -> dict[str, str]:
    url = {"url": base_url + ref.url.removesuffix("index.html")} if base_url else {}
    return {"@type": "DefinedTerm", "name": ref.title} | url
