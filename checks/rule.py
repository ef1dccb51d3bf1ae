"""What the guards of a site share: a rule as a declaration, and a book of rules about single pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from checks.pages import Element, Page
from checks.problems import Level, Problem

Found = Iterator[tuple[Element | None, str]]
"""What breaks a rule: the element (None: the page as a whole) and the sentence that says how."""
Place = tuple[int, int]
"""Line and column, from 1."""
PageRule = Callable[[Page], Found]


@dataclass(frozen=True)
class Rule:
    """One rule: ``explains`` is the sentence for lists and documentation, ``fix`` the remedy."""

    id: str
    level: Level
    explains: str
    fix: str

    def at(self, element: Element, message: str) -> Problem:
        """The problem that this element breaks the rule."""
        return self.placed(element.page.path, element.place, message)

    def on(self, page: Page, message: str) -> Problem:
        """The problem that something is missing on the page: placed at its body."""
        return self.placed(page.path, frame_of(page), message)

    def placed(self, path: str, place: Place, message: str) -> Problem:
        """The problem that the rule is broken at a line and column of a page."""
        return Problem(path, *place, self.id, message, self.fix, self.level)


def frame_of(page: Page) -> Place:
    """Where a problem of a page as a whole is placed: at its body, its ``<html>``, or its beginning."""
    frame = page.tagged("body", "html")
    return frame[0].place if frame else (1, 1)


def by_id(rules: Iterable[Rule]) -> dict[str, Rule]:
    """The rules by their ids, in the given order."""
    return {rule.id: rule for rule in rules}


@dataclass
class Rulebook:
    """Rules about single pages, each with the function that looks for breaches."""

    entries: list[tuple[Rule, PageRule]] = field(default_factory=list)

    def rule(self, id: str, explains: str, fix: str, level: Level = "error") -> Callable[[PageRule], PageRule]:
        """Enter the decorated function under a rule."""

        def enter(function: PageRule) -> PageRule:
            self.entries.append((Rule(id, level, explains, fix), function))
            return function

        return enter

    @property
    def rules(self) -> Mapping[str, Rule]:
        """The rules by their ids."""
        return by_id(rule for rule, _ in self.entries)

    def check(self, page: Page) -> Iterator[Problem]:
        """Every breach on one page, rule by rule."""
        for rule, function in self.entries:
            for element, message in function(page):
                yield rule.at(element, message) if element else rule.on(page, message)
