"""What a view is: a name, the options it takes with their forms, and a pure function from what is asked to markup."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from render.views.option_forms import CONDITIONS, LIST, Form, fitting
from render.views.selecting import SelectionError
from render.views.wording import Format, Teller, plain

COMMON: Mapping[str, Form] = {"when": CONDITIONS}
"""Options of every view: ``when`` draws it only where its conditions hold."""


@dataclass(frozen=True)
class Row:
    """A record to draw, or an entry written out (``typed``), with the options that hold for it."""

    teller: Teller
    options: Mapping[str, Any]
    typed: bool = False

    def label(self, name: str = "label") -> Markup:
        """Its label: what the option names, in words where ``words`` are given; of a typed entry a text."""
        source = str(self.options.get(name, ""))
        if self.typed:
            return self.teller.text(source)
        words = str(self.options.get("words", ""))
        if words and not source:
            return self.teller.word(words, None)
        return self.teller.key(source, Format(words=words))

    def value(self, name: str = "value") -> Any:
        """The value that an option names."""
        return self.teller.bound.value(str(self.options[name]))

    def number(self, name: str = "value") -> float:
        """The number that an option names; raises SelectionError for anything else."""
        return as_number(self.value(name), str(self.options[name]))

    def text(self, name: str) -> Markup:
        """The text of an option, "" where it is not given."""
        return self.teller.text(str(self.options.get(name, "")))

    def role(self, name: str = "role") -> str:
        """The role that an option names, directly or through words."""
        return self.teller.role(str(self.options.get(name, "")))


@dataclass(frozen=True)
class Asked:
    """What one directive asks of a view: the selector behind its name and its options, each of its form."""

    teller: Teller
    selector: str
    options: Mapping[str, Any]

    @property
    def rows(self) -> list[Row]:
        """The records of the selector, or the entries of ``rows`` whose ``when`` holds."""
        if self.selector:
            found = self.teller.bound.records(self.selector)
            return [Row(self.teller.at(node), self.options) for node in found]
        return list(self._typed())

    def _typed(self) -> Iterator[Row]:
        for entry in self.options.get("rows") or ():
            given = entry if isinstance(entry, Mapping) else {}
            if self.teller.bound.meets(given["when"]) if "when" in given else True:
                yield Row(self.teller, {**self.options, **given, "entry": entry}, typed=True)

    def record(self) -> Teller:
        """The one record of the selector at hand."""
        return self.teller.at(replace(self.teller.bound.node(self.selector), record=True))

    def text(self, name: str) -> Markup:
        """The text of an option as inline Markdown, "" where it is not given."""
        return self.teller.text(str(self.options.get(name, "")))

    def plain(self, name: str) -> str:
        """The text of an option without tags."""
        return plain(self.text(name))


@dataclass(frozen=True)
class View:
    """A view: ``says`` what it shows in a sentence, ``takes`` what its selector names ("records", "a record", "" for
    none), ``forms`` its options and ``needs`` those that it cannot do without.
    """

    name: str
    says: str
    takes: str
    forms: Mapping[str, Form]
    draw: Callable[[Asked], Markup]
    needs: tuple[str, ...] = ()
    example: str = field(default="", compare=False)

    def show(self, teller: Teller, selector: str, options: Mapping[str, Any]) -> Markup:
        """The view of what a selector names; raises ValueError with a sentence where an option does not fit."""
        forms = {**self.forms, **COMMON}
        options = {**teller.bound.defaults.get(self.name, {}), **options}
        unknown = sorted(set(options) - forms.keys())
        if unknown:
            raise ValueError(f"{self.name} has no option `{unknown[0]}`; it has {', '.join(sorted(forms))}")
        given = fitting(options, forms)
        for name in self.needs:
            if name not in given:
                raise ValueError(f"{self.name} needs the option `{name}`")
        if self.takes and not selector and "rows" not in given and "series" not in given:
            raise ValueError(f"{self.name} is of {self.takes}: write a selector behind its name")
        if "when" in given and not teller.bound.meets(str(given["when"])):
            return Markup("")
        return self.draw(Asked(teller, selector, given))


ROWS = {"rows": LIST}


def as_number(value: Any, what: str) -> float:
    """The value as a number; raises SelectionError for text, truth values and nothing."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise SelectionError(f"`{what}` is {value!r}, no number")
    return value
