"""Accessibility of a page's parts: images, controls, links, buttons, tables, references, focus."""

from __future__ import annotations

import re
from collections.abc import Iterator

from checks.html.elements import names
from checks.pages import Element, Page
from checks.rule import Found, Rulebook

from .names import BUTTON_TYPES, landmark_name, name, spoken_text, words

BOOK = Rulebook()

_WIDGETS = names("checkbox combobox listbox menuitemcheckbox radio searchbox slider spinbutton switch textbox")
_CONTROLS = names("input select textarea meter progress output")
_LABELABLE = _CONTROLS | names("button")
_FOCUSABLE = names("a area button iframe input select summary textarea")
_NO_TABLE = names("presentation none")
_REFERENCES = tuple(
    f"aria-{key}"
    for key in (
        "activedescendant",
        "controls",
        "describedby",
        "details",
        "errormessage",
        "flowto",
        "labelledby",
        "owns",
    )
)


def _spoken(page: Page, *tags: str) -> Iterator[Element]:
    return (element for element in page.tagged(*tags) if not element.unspoken)


def _with_role(page: Page, *roles: str) -> Iterator[Element]:
    return (one for one in page.having("role") if one.role in roles and not one.unspoken)


def _kind(element: Element) -> str:
    """The type of an input in lower case; the tag of anything else."""
    return element.attributes.get("type", "text").lower() if element.tag == "input" else element.tag


@BOOK.rule(
    "image-alt",
    "Every image has a text alternative.",
    'say in alt (or aria-label, or <title> in svg) what it shows; alt="" or aria-hidden="true" if it only decorates',
)
def image_alt(page: Page) -> Found:
    """An image without ``alt``, or a drawing with the role of an image and no name."""
    for image in _spoken(page, "img"):
        if "alt" not in image.attributes and image.role not in _NO_TABLE and not landmark_name(image):
            yield image, f"<img src={image.attributes.get('src', '')!r}> has no alt"
    for area in _spoken(page, "area"):
        if "href" in area.attributes and not name(area):
            yield area, "<area> leads somewhere and has no alt"
    for control in _spoken(page, "input"):
        if _kind(control) == "image" and not (words(control.attributes.get("alt", "")) or landmark_name(control)):
            yield control, '<input type="image"> has no alt'
    for drawing in _with_role(page, "img", "graphics-document"):
        if drawing.tag != "img" and not _drawing_name(drawing):
            yield drawing, f'<{drawing.tag} role="img"> has no name'


def _drawing_name(drawing: Element) -> str:
    titles = [child for child in drawing.children() if drawing.tag == "svg" and child.tag == "title"]
    return landmark_name(drawing) or "".join(spoken_text(title, hidden_too=True) for title in titles)


@BOOK.rule(
    "frame-title",
    "A frame has a name.",
    "write title on the <iframe>, or aria-hidden and tabindex=-1 if nobody uses it",
)
def frame_title(page: Page) -> Found:
    """A frame without a title."""
    for frame in _spoken(page, "iframe", "frame"):
        if not landmark_name(frame):
            yield frame, f"<{frame.tag}> has no title"


@BOOK.rule(
    "control-label",
    "Every form control has a label.",
    "write a <label> around it or with for=its id, or aria-label (a placeholder is no label)",
)
def control_label(page: Page) -> Found:
    """A control or a widget that nothing names."""
    labels = {one.attributes["for"]: one for one in page.tagged("label") if "for" in one.attributes}
    for control in _spoken(page, *sorted(_CONTROLS - {"output"})):
        if _kind(control) not in BUTTON_TYPES | {"hidden"} and not _labelled(control, labels):
            yield control, f"<{_shown(control)}> has no label"
    for widget in _with_role(page, *sorted(_WIDGETS)):
        own = spoken_text(widget) if widget.role in ("checkbox", "radio", "switch") else ""
        if widget.tag not in _CONTROLS and not (landmark_name(widget) or own):
            yield widget, f"<{widget.tag} role={widget.role!r}> has no label"


def _labelled(control: Element, labels: dict[str, Element]) -> bool:
    around = control.closest("label")
    by_for = labels.get(control.attributes.get("id", ""))
    return bool(landmark_name(control)) or any(one is not None and spoken_text(one) for one in (around, by_for))


def _shown(control: Element) -> str:
    kind = f' type="{_kind(control)}"' if control.tag == "input" else ""
    return f"{control.tag}{kind}"


@BOOK.rule("label-target", "A label leads to a control.", "let for name the id of the control")
def label_target(page: Page) -> Found:
    """A label whose ``for`` is no control's id."""
    for label in page.tagged("label"):
        ident = label.attributes.get("for")
        if ident is None or label.unseen:
            continue
        target = page.by_id.get(ident)
        if target is None or target.tag not in _LABELABLE:
            yield label, f"<label for={ident!r}>: no control has this id"


@BOOK.rule("link-name", "A link says where it leads.", "write text in the link, or alt on the image in it")
def link_name(page: Page) -> Found:
    """A link that reads as nothing."""
    linked = [one for one in _spoken(page, "a") if "href" in one.attributes]
    for link in [*linked, *(one for one in _with_role(page, "link") if one not in linked)]:
        if not name(link):
            yield link, f"the link to {link.attributes.get('href', '')!r} has no text"


@BOOK.rule("button-name", "A button says what it does.", "write text in the button, or aria-label on it")
def button_name(page: Page) -> Found:
    """A button or summary that reads as nothing."""
    for button in _spoken(page, "button", "summary"):
        if not name(button):
            yield button, f"<{button.tag}> has no text"
    for control in _spoken(page, "input"):
        if _kind(control) in BUTTON_TYPES - {"image"} and not name(control):
            yield control, f"<{_shown(control)}> has no text"
    for button in _with_role(page, "button", "menuitem", "tab"):
        linked = button.tag == "a" and "href" in button.attributes  # told by link-name
        if button.tag not in ("button", "summary", "input") and not linked and not name(button):
            yield button, f"<{button.tag} role={button.role!r}> has no text"


@BOOK.rule(
    "table-headers",
    "A table of data has header cells.",
    'write <th scope="col"> or <th scope="row">, or role="presentation" if the table only lays out',
)
def table_headers(page: Page) -> Found:
    """A table with cells and no header cell of its own."""
    headed = {id(cell.closest("table")) for cell in page.tagged("th")}
    headed |= {id(cell.closest("table")) for cell in _with_role(page, "columnheader", "rowheader")}
    filled = {id(cell.closest("table")) for cell in page.tagged("td")}
    for table in _spoken(page, "table"):
        if id(table) in filled - headed and table.role not in _NO_TABLE:
            yield table, "<table> has cells and no <th>"


@BOOK.rule("aria-reference", "References to other elements lead to them.", "correct the id, or remove the attribute")
def aria_reference(page: Page) -> Found:
    """An aria attribute that names an id which is not on the page."""
    for element in page.having(*_REFERENCES):
        for attribute in _REFERENCES:
            ids = element.attributes.get(attribute, "").split()
            for ident in ids if not element.unseen else ():
                if ident not in page.by_id:
                    yield element, f"<{element.tag} {attribute}={ident!r}>: no element has this id"


@BOOK.rule("positive-tabindex", "The focus follows the order of the page.", "use 0 or -1, and order the elements")
def positive_tabindex(page: Page) -> Found:
    """An element that jumps the queue."""
    for element in page.having("tabindex"):
        index = element.attributes.get("tabindex", "")
        if re.fullmatch(r"\s*\+?0*[1-9]\d*\s*", index):
            yield element, f"<{element.tag} tabindex={index!r}> takes the focus before everything else"


@BOOK.rule(
    "hidden-focusable",
    "What is hidden from assistive technology takes no focus.",
    'remove aria-hidden, or add tabindex="-1", or inert to what is around it',
)
def hidden_focusable(page: Page) -> Found:
    """A link or control inside ``aria-hidden`` that is not inert."""
    for element in page.having("tabindex", tags=_FOCUSABLE):
        if element.unspoken and not element.unseen and _takes_focus(element) and not _is_inert(element):
            yield element, f"<{element.tag}> takes the focus and is hidden from assistive technology"


def _is_inert(element: Element) -> bool:
    return any("inert" in one.attributes for one in (element, *element.ancestors()))


def _takes_focus(element: Element) -> bool:
    attributes = element.attributes
    index = attributes.get("tabindex", "").strip()
    if index.startswith("-"):
        return False
    if element.tag in ("button", "input", "select", "textarea"):
        return "disabled" not in attributes and _kind(element) != "hidden"
    if element.tag in ("a", "area"):
        return "href" in attributes or index.isdigit()
    return element.tag in ("iframe", "summary") or index.isdigit()
