"""The fewest pages that show everything the site is made of: each kind of element inside each other, at least once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"])
SHAPES = frozenset(["circle", "defs", "ellipse", "g", "line", "path", "polygon", "polyline", "rect"])
"""Parts of a drawing without text of their own: an element in one counts as inside what the shape is in."""
Pair = tuple[str, str]


@dataclass
class Features:
    """Pairs (parent, child), each by its tag with a class, a role, or neither: of a page as it opens, and of every
    other state of its walkthroughs by fragment."""

    opening: set[Pair] = field(default_factory=set)
    states: dict[str, set[Pair]] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.features = Features()
        self.open: list[tuple[str, tuple[str, ...], str]] = [("", ("",), "")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        classes, roles = (attributes.get(name, "").split() for name in ("class", "role"))
        names = tuple([f"{tag}.{name}" for name in classes] + [f"{tag}={role}" for role in roles]) or (tag,)
        _, above, state = self.open[-1]
        if "wt-step" in classes and "is-first" not in classes:
            state = attributes["id"]
        if tag in SHAPES or "math" in above:  # a formula is one thing
            names = above
        else:
            found = self.features.states.setdefault(state, set()) if state else self.features.opening
            found |= {(parent, child) for parent in above for child in names}
        if tag not in VOID:
            self.open.append((tag, names, state))

    def handle_endtag(self, tag: str) -> None:
        while self.open.pop()[0] != tag:
            pass


def features(html: str) -> Features:
    """What a page that closes its elements in order shows."""
    reader = _Reader()
    reader.feed(html)
    return reader.features


def cover(found: Mapping[str, set[Pair]], weights: Mapping[str, float], shown: set[Pair] | None = None) -> list[str]:
    """Names that have all pairs among them but for those already ``shown``, greedily: most new pairs by weight first,
    then the first by name."""
    left = {name: pairs - (shown or set()) for name, pairs in sorted(found.items())}
    chosen: list[str] = []
    while any(left.values()):
        chosen.append(max(left, key=lambda name: len(left[name]) / weights[name]))
        new = left.pop(chosen[-1])
        left = {name: pairs - new for name, pairs in left.items()}
    return chosen
