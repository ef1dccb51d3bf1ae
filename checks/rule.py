"""What the guards of a site share: a rule as a declaration, and a book of rules about single pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from checks.pages import Element, Page
from checks.problems import Level, Problem

Found = Iterator[tuple[Element | None, str]]
"""What breaks a rule: the element (None: the page as a whole) and the sentence that says how."""
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
        return Problem(element.page.path, element.line, element.column, self.id, message, self.fix, self.level)

    def on(self, page: Page, message: str) -> Problem:
        """The problem that something is missing on the page: placed at its body."""
        frame = page.tagged("body", "html")
        if frame:
            return self.at(frame[0], message)
        return Problem(page.path, 1, 1, self.id, message, self.fix, self.level)


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
