"""The Atom feed (RFC 4287): pages by the date of their text, and dated lines of the changelog.

Every date comes from the content, so two builds give the same feed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import escape

from render.model import Site
from render.reading.changelog import Change
from render.reading.library import Library

PATH = "feed.xml"
MOST = 60


@dataclass(frozen=True)
class Entry:
    """One entry: a permanent id, what happened, when (a date), where to read on."""

    id: str
    title: str
    date: str
    url: str
    summary: str


def atom_feed(library: Library, site: Site, changes: Iterable[Change], base_url: str) -> str:
    """The feed, newest entry first; a site with nothing dated has a feed without entries."""
    entries = [*_pages(library, base_url), *_changes(changes, site, base_url)]
    entries = sorted(entries, key=lambda entry: (entry.date, entry.id), reverse=True)[:MOST]
    newest = entries[0].date if entries else "1970-01-01"
    head = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{escape(site.title)}: changes and corrections</title>",
        f"<subtitle>{escape(site.tagline)}</subtitle>",
        f"<id>{escape(base_url)}</id>",
        f'<link rel="self" type="application/atom+xml" href="{escape(base_url + PATH)}"/>',
        f'<link rel="alternate" type="text/html" href="{escape(base_url)}"/>',
        f"<updated>{newest}T00:00:00Z</updated>",
        f"<author><name>{escape(site.title)}</name></author>",
    ]
    return "\n".join([*head, *map(_entry, entries), "</feed>"]) + "\n"


def change_id(change: Change) -> str:
    """The id of a line, drawn from its words, so that a line added above does not rename it."""
    return "c-" + hashlib.sha256(f"{change.date} {change.text}".encode()).hexdigest()[:12]


def _pages(library: Library, base_url: str) -> list[Entry]:
    return [
        Entry(url, page.title, page.updated, url, page.summary)
        for slug, page in library.pages.items()
        for url in [f"{base_url}concepts/{slug}/"]
        if page.updated
    ]


def _changes(changes: Iterable[Change], site: Site, base_url: str) -> list[Entry]:
    """An entry a dated line of the changelog."""
    entries = []
    for change in changes:
        if not change.date:
            continue
        kind = "Correction" if change.is_correction else change.heading or "Change"
        url = f"{base_url}changes/"
        entries.append(
            Entry(
                f"{url}#{change_id(change)}",
                f"{kind} ({change.release})",
                change.date,
                f"{url}#{change_id(change)}",
                change.text,
            )
        )
    return entries


def _entry(entry: Entry) -> str:
    return (
        f"<entry><id>{escape(entry.id)}</id><title>{escape(entry.title)}</title>"
        f"<updated>{entry.date}T00:00:00Z</updated>"
        f'<link rel="alternate" type="text/html" href="{escape(entry.url)}"/>'
        f"<summary>{escape(entry.summary)}</summary></entry>"
    )
