"""One page while it renders: where it stands, what it refers to, and the problems found on the way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from checks.problems import Level, Problem
from render.model import CheckedClaim, FigureRef, Heading, PageRef
from render.reading.library import Library
from render.views.selecting import Bindings


@dataclass
class Scope:
    """What a page's text has used so far, in the order of first use.

    ``path`` is the file that is being read (a page, or a metric panel shown on it), ``rel`` the way from the
    page to the site's root. ``sources`` numbers the cited keys. ``block`` and ``inline`` render Markdown found
    inside a directive, at a given line of the same file. ``prefix`` begins the ids of headings. ``bound`` says what the
    names of a selector mean; ``predictions`` are those asked so far in a walkthrough.
    """

    library: Library
    templates: Environment
    path: str
    rel: str
    block: Callable[[str, Scope, int], Markup]
    inline: Callable[[str, Scope, int], Markup]
    prefix: str = ""
    figures: dict[str, FigureRef] = field(default_factory=dict)
    metrics: list[str] = field(default_factory=list)
    sources: dict[str, int] = field(default_factory=dict)
    previews: dict[str, PageRef] = field(default_factory=dict)
    datasets: dict[str, None] = field(default_factory=dict)
    claims: list[CheckedClaim] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    ids: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    bound: Bindings | None = None
    predictions: list[Any] = field(default_factory=list)

    def problem(
        self, line: int, rule: str, message: str, fix: str = "", column: int = 1, level: Level = "error"
    ) -> None:
        """Adds a finding in the file being read."""
        self.problems.append(Problem(self.path, line, column, rule, message, fix, level))

    @property
    def names(self) -> Bindings:
        """What the names of a selector mean here; outside a walkthrough only datasets by their names."""
        return self.bound or Bindings(self.library)

    def bound_to(self, bound: Bindings) -> Scope:
        """The same page with other names in selectors; what is used in it is used on the page."""
        return self if bound is self.bound else replace(self, bound=bound)

    def unique_id(self, wanted: str) -> str:
        """An id not yet used on this page: ``wanted``, or with a number behind it."""
        count = self.ids.get(wanted, 0) + 1
        self.ids[wanted] = count
        return wanted if count == 1 else self.unique_id(f"{wanted}-{count}")

    def claim_id(self, ident: str, line: int) -> None:
        """Notes an id that may stand once on a page."""
        if self.unique_id(ident) != ident:
            self.problem(line, "duplicate-id", f"`{ident}` stands on this page twice", "leave one of them out")

    def macro(self, name: str, *arguments: Any) -> Markup:
        """A macro of ``macros.html.j2`` rendered with these arguments."""
        return Markup(getattr(self.templates.get_template("macros.html.j2").module, name)(*arguments))
