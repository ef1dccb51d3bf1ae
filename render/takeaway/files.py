"""What a reader can take along: the list for programs, the feed, and the page of changes and corrections."""

from __future__ import annotations

from render.model import Site
from render.pages.renderer import Rendered, Renderer
from render.reading.library import Library
from render.takeaway.feed import PATH as FEED
from render.takeaway.feed import atom_feed, change_id
from render.takeaway.llms import llms_txt
from render.text.markdown import render_inline

CHANGES = "changes/index.html"


def takeaway_files(library: Library, site: Site, base_url: str) -> dict[str, str]:
    """``llms.txt``, and with a base URL ``feed.xml``: an Atom entry needs absolute addresses."""
    files = {"llms.txt": llms_txt(library, site, base_url)}
    if base_url:
        files[FEED] = atom_feed(library, site, library.changes, base_url)
    return files


def changes_page(renderer: Renderer) -> Rendered:
    """The page of changes and corrections."""
    changes = renderer.library.changes
    scope = renderer.scope("CHANGELOG.md", CHANGES)
    releases: dict[str, dict[str, list[dict[str, str]]]] = {}
    corrections = []
    for change in changes:
        entry = {"id": change_id(change), "date": change.date, "html": render_inline(change.text, scope, change.line)}
        if change.is_correction:
            corrections.append(entry)
        else:
            releases.setdefault(change.release, {}).setdefault(change.heading or "Changed", []).append(entry)
    text = renderer.page(
        "changes.html.j2",
        CHANGES,
        kind="list",
        title="Changes and corrections",
        description="What changed for a reader, and every published number that was corrected.",
        corrections=corrections,
        releases=releases,
    )
    return Rendered(CHANGES, text, problems=tuple(scope.problems))
