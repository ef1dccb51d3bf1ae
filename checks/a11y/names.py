"""The accessible name of an element (after the W3C's accname) as far as the tags alone tell it."""

from __future__ import annotations

from collections.abc import Mapping

from checks.pages import Element

_SPOKEN_ATTRIBUTE = {"img": "alt", "area": "alt", "math": "alttext"}
_OWN_WORDS = {"submit": "Submit", "reset": "Reset", "image": "Submit"}
_VALUE_INSIDE = frozenset(("datalist", "meter", "progress", "select", "textarea"))
BUTTON_TYPES = frozenset(("button", "submit", "reset", "image"))


def name(element: Element) -> str:
    """The name of a link, a button, a heading, an image or a landmark; empty where it has none."""
    return given_name(element) or spoken_text(element) or words(element.attributes.get("title", ""))


def given_name(element: Element) -> str:
    """The name given by ``aria-labelledby`` or ``aria-label``."""
    ids = element.attributes.get("aria-labelledby", "").split()
    referred = [element.page.by_id[ident] for ident in ids if ident in element.page.by_id]
    by_reference = words(" ".join(given_label(one) or spoken_text(one, hidden_too=True) for one in referred))
    return by_reference or given_label(element)


def given_label(element: Element) -> str:
    """The value of ``aria-label``."""
    return words(element.attributes.get("aria-label", ""))


def landmark_name(element: Element) -> str:
    """The name of a landmark: its content does not name it."""
    return given_name(element) or words(element.attributes.get("title", ""))


def spoken_text(element: Element, hidden_too: bool = False) -> str:
    """What an element reads out: its content or what stands for it, with alternatives of images and labels of parts.

    Its own label is left to :func:`given_name`; a list, text area or meter asked for itself tells what it holds.
    """
    reached = [element]
    for one in reached:  # grows as it goes, so that no depth is too much
        reached.extend(part for part in one.children() if hidden_too or not part.unspoken)
    said: dict[Element, str] = {}
    for one in reversed(reached):
        own = _own_words(one) if one is element else given_label(one) or _own_words(one, _VALUE_INSIDE)
        said[one] = _joined(one, said) if own is None else own
    return said[element]


def _joined(element: Element, said: Mapping[Element, str]) -> str:
    parts = [part if isinstance(part, str) else said.get(part, "") for part in element.content]
    return words((" " if _has_blocks(element) else "").join(parts))


def words(text: str) -> str:
    """The text with single spaces between its words."""
    return " ".join(text.split())


def _own_words(element: Element, silent: frozenset[str] = frozenset()) -> str | None:
    """What the element says in place of its content; None where its content speaks. ``silent`` elements say nothing."""
    tag, attributes = element.tag, element.attributes
    if tag in _SPOKEN_ATTRIBUTE and (tag != "math" or "alttext" in attributes):
        return words(attributes.get(_SPOKEN_ATTRIBUTE[tag], ""))
    if tag == "input":
        kind = attributes.get("type", "").lower()
        own = attributes.get("alt" if kind == "image" else "value", _OWN_WORDS.get(kind, ""))
        return words(own) if kind in BUTTON_TYPES else ""
    return "" if tag in silent else None


def _has_blocks(element: Element) -> bool:
    return any(child.tag in ("p", "div", "li", "br", "td", "th", "dt", "dd") for child in element.children())
