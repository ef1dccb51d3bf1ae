"""Pages that send on from an old address, and the list of moved parts at the end of a page."""

from __future__ import annotations

import posixpath
from collections.abc import Collection

from checks.problems import Problem
from render.pages.renderer import Renderer
from render.reading.moves import FILE, Moves


def redirect_files(renderer: Renderer, paths: Collection[str], problems: list[Problem]) -> dict[str, str]:
    """A small page for every renamed one. ``paths`` are the pages of the site; a redirect must lead to one of them."""
    moves = renderer.library.moves
    problems += _misled(moves, set(paths))
    return {
        move.old: renderer.page("redirect.html.j2", move.old, target=_way(move.old, move.new), moved_to=move.new)
        for move in moves.pages
        if move.old not in paths
    }


def _way(here: str, target: str) -> str:
    place, mark, fragment = target.partition("#")
    return posixpath.relpath(place, posixpath.dirname(here)) + mark + fragment


def _misled(moves: Moves, paths: set[str]) -> list[Problem]:
    """Redirects to nowhere, from a page that exists, or of a part of a page that does not."""
    found = []
    for page in moves.pages:
        if page.old in paths:
            message = f"{page.old} is a page of the site: nobody can be sent on from it"
            found.append(Problem(FILE, page.line, 1, "redirect", message, "drop the redirect or rename the page"))
    for old, new, line in [
        *((page.old, page.new, page.line) for page in moves.pages),
        *((f"#{part.old}", part.target, part.line) for part in moves.fragments),
        *((f"#{part.old}", part.page, part.line) for part in moves.fragments),
    ]:
        place = new.partition("#")[0]
        if place not in paths:
            near = ", ".join(sorted(path for path in paths if path.startswith(place.split("/")[0] + "/"))[:20])
            fix = f"name one of {near}" if near else "name a page of the site"
            found.append(Problem(FILE, line, 1, "redirect", f"{old} leads to {place}, which is no page", fix))
    return sorted(set(found))
