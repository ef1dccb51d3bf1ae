"""How a selected value reads: as a number with its digits, or in the words that a walkthrough declares for it.

Words are declared as ``{value: text}``, or as a list of ``{when, text}`` of which the first whose conditions hold is
taken. In place of a text ``{text, mark}`` adds the shape of a role. A text is inline Markdown and may print values.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from render.numbers import number_text, percent_text, unit_text
from render.reading.library import pick
from render.text.scope import Scope
from render.views.figures import data_value
from render.views.marks import ROLES, mark
from render.views.selecting import Bindings, Node, SelectionError, is_selector

_ROLE = re.compile(r"\{[\w-]+\}`")


@dataclass(frozen=True)
class Format:
    """How values print. ``digits`` of a share count before it becomes a percentage, as those of a figure do.

    ``plain`` prints a setting with the decimals that it has (0.5, 1.25). ``join`` is put between several values, those
    of no words left out; without it there must be one value.
    """

    digits: int | None = None
    percent: bool = False
    unit: str = ""
    words: str = ""
    plain: bool = False
    join: str | None = None

    @classmethod
    def read(cls, parts: list[str]) -> Format:
        """The format behind the bars of a role: ``3``, ``percent``, ``unit=ms``, ``words=order``, ``join=; ``."""
        given: dict[str, Any] = {}
        for part in parts:
            name, _, value = part.partition("=")
            name = name.strip()
            if name.isdigit():
                given["digits"] = int(name)
            elif name in ("percent", "plain"):
                given[name] = True
            elif name in ("unit", "words"):
                given[name] = value.strip()
            elif name == "join":
                given["join"] = value or ", "
            else:
                raise SelectionError(f"`{part}` is no format: expected digits, percent, plain, unit=, words= or join=")
        return cls(**given)


@dataclass(frozen=True)
class Teller:
    """Puts values into text on the page of ``scope``, for the names that ``bound`` gives; ``line`` is for problems."""

    scope: Scope
    bound: Bindings
    line: int

    def at(self, item: Node) -> Teller:
        """The same with another record at hand."""
        return Teller(self.scope, self.bound.at(item), self.line)

    def text(self, source: str) -> Markup:
        """Inline Markdown whose roles see the record at hand."""
        if not re.search(r"[`*_\[\]$\\&<{]", source):
            return Markup(html.escape(source, quote=False))
        return self.scope.inline(source, self.scope.bound_to(self.bound), self.line)

    def plain(self, source: str) -> str:
        """The same as text without tags, for titles and names."""
        return plain(self.text(source))

    def told(self, source: str, form: Format) -> Markup:
        """The value or values of a selector or expression, as ``form`` says; raises SelectionError."""
        if form.join is None or not is_selector(source):
            return self._one(source, form)
        nodes = self.bound.records(source)
        if not nodes:
            raise SelectionError(f"`{source}` names nothing to list")
        separator = Markup(html.escape(form.join, quote=False))
        return separator.join(filter(None, (self.at(node).show(node.value, form) for node in nodes)))

    def _one(self, source: str, form: Format) -> Markup:
        if form.words and is_selector(source):
            node = self.bound.node(source)
            inner = self.at(node) if isinstance(node.value, Mapping) else self
            return inner.show(node.value, form)
        return self.show(self.bound.value(source), form)

    def show(self, value: Any, form: Format) -> Markup:
        """A value as it prints."""
        if form.words:
            return self.word(form.words, value)
        if isinstance(value, Mapping | list):
            raise SelectionError(f"{str(value)[:60]}… is no single value")
        if isinstance(value, bool) or not isinstance(value, int | float):
            return Markup(html.escape(number_text(value), quote=False))
        if form.percent:
            return data_value(value, percent_text(value, form.digits)) + unit_text("%")
        if form.plain:
            return data_value(value, number_text(value, _decimals(value)))
        digits = None if isinstance(value, int) else form.digits
        unit = unit_text(form.unit) or (f" {form.unit}" if form.unit else "")
        return data_value(value, number_text(value, digits)) + unit

    def word(self, group: str, value: Any) -> Markup:
        """What the declared words of ``group`` say for a value, or for the record at hand."""
        entries = pick("group of words", group, self.bound.words)
        found = self._chosen(entries, group) if isinstance(entries, list) else _named(entries, group, value)
        if not isinstance(found, Mapping):
            return self.text(str(found))
        words = self.text(str(found.get("text", ""))) if "text" in found else None
        role = found.get("mark")
        if not role:
            return words or Markup("")
        return mark(role, words) if words else mark(role)

    def _chosen(self, entries: list[Any], group: str) -> Any:
        for entry in entries:
            if "when" not in entry or self.bound.meets(entry["when"]):
                return entry
        raise SelectionError(f"none of the words of `{group}` fits: end them with one that has no `when`")

    def key(self, source: str, form: Format | None = None) -> Markup:
        """A text with roles in it as Markdown, any other as the value it names: a label given either way."""
        return self.text(source) if _ROLE.search(source) else self.told(source, form or Format())

    def role(self, source: str) -> str:
        """A role by its name, or by the value or words that name it; "" for none."""
        if source in ("", "empty") or source in ROLES:
            return source
        group = self.bound.words.get(source)
        found = self.word(source, _here(self.bound)) if group is not None else self.key(source)
        name = plain(found)
        if name not in ("", "empty") and name not in ROLES:
            raise SelectionError(f"`{source}` gives {name!r}, which is no role: expected one of {', '.join(ROLES)}")
        return name


def plain(markup: Markup) -> str:
    """The text of inline markup, its spaces kept."""
    return html.unescape(re.sub(r"<[^>]*>", "", str(markup)))


def _decimals(value: float) -> int:
    """How many decimals a number has as it is written."""
    return len(f"{value:g}".partition(".")[2])


def _here(bound: Bindings) -> Any:
    return bound.item.value if bound.item else None


def _named(entries: Mapping[str, Any], group: str, value: Any) -> Any:
    """The entry for a value; truth values are called true and false."""
    name = str(value).lower() if isinstance(value, bool) else "none" if value is None else str(value)
    if name not in entries:
        raise SelectionError(f"the words of `{group}` have none for {name!r}; they have {', '.join(entries)}")
    return entries[name]
