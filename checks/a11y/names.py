"""The accessible name of an element (after the W3C's accname) as far as the tags alone tell it."""

from __future__ import annotations

from checks.pages import Element

_SPOKEN_ATTRIBUTE = {"img": "alt", "area": "alt", "math": "alttext"}
_OWN_WORDS = {"submit": "Submit", "reset": "Reset", "image": "Submit"}
BUTTON_TYPES = frozenset(("button", "submit", "reset", "image"))


def name(element: Element) -> str:
    """The name of a link, a button, a heading, an image or a landmark; empty where it has none."""
    return given_name(element) or _native_name(element) or words(element.attributes.get("title", ""))


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
    """What is read out of an element's content: text, alternatives of images, labels of parts."""
    parts = []
    for part in element.content:
        if isinstance(part, str):
            parts.append(part)
        elif hidden_too or not part.unspoken:
            parts.append(given_label(part) or _native_name(part, hidden_too))
    return words(" ".join(parts) if _has_blocks(element) else "".join(parts))


def words(text: str) -> str:
    """The text with single spaces between its words."""
    return " ".join(text.split())


def _native_name(element: Element, hidden_too: bool = False) -> str:
    tag, attributes = element.tag, element.attributes
    if tag in _SPOKEN_ATTRIBUTE and (tag != "math" or "alttext" in attributes):
        return words(attributes.get(_SPOKEN_ATTRIBUTE[tag], ""))
    if tag == "input":
        kind = attributes.get("type", "").lower()
        own = attributes.get("alt" if kind == "image" else "value", _OWN_WORDS.get(kind, ""))
        return words(own) if kind in BUTTON_TYPES else ""
    return spoken_text(element, hidden_too)


def _has_blocks(element: Element) -> bool:
    return any(child.tag in ("p", "div", "li", "br", "td", "th", "dt", "dd") for child in element.children())
