"""Every rule of the guard: what it says, what a browser does, how to mend it.

A rule is a declaration. ``says`` is the message (``{element}`` the offender, ``{other}`` the element that sets the
limit, ``{detail}`` what only the occurrence knows; positions are added by the guard), ``browser`` what a browser does
here, ``fix`` the remedy. ``unstable`` rules mean that a browser builds another tree than the tags say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from checks.problems import Level

VerdictName = Literal["unstable", "non-conforming", "unreadable"]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; ``explains`` is the sentence for lists and documentation."""

    id: str
    verdict: VerdictName
    level: Level
    explains: str
    says: str
    browser: str
    fix: str


def _unstable(id: str, explains: str, says: str, browser: str, fix: str) -> Rule:
    return Rule(id, "unstable", "error", explains, says, browser, fix)


def _model(id: str, explains: str, says: str, fix: str, browser: str = "", level: Level = "error") -> Rule:
    return Rule(id, "non-conforming", level, explains, says, browser or _AS_WRITTEN, fix)


_AS_WRITTEN = "A browser keeps the tree as written, but the standard gives it no meaning"

_ALL = (
    # --- unstable: paragraphs, items, headings
    _unstable(
        "flow-in-p",
        "A paragraph holds phrasing content only; flow content closes it.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the paragraph before {element}, and a later </p> makes an empty one",
        "end the paragraph before {element}, or make {other} a <div>, or use phrasing content such as <span>",
    ),
    _unstable(
        "nested-item",
        "A list item or description cannot stand inside another one of the same list.",
        "{element} cannot be inside {other}{through}",
        "a browser closes {other} before {element}",
        "close {other} first, or open a new list inside of it",
    ),
    _unstable(
        "heading-in-heading",
        "A heading cannot be the child of a heading.",
        "{element} cannot be inside {other}{through}",
        "a browser closes {other} before {element}",
        "close {other} first, or make {element} a <span>",
    ),
    # --- unstable: interactive content
    _unstable(
        "nested-link",
        "A link cannot contain a link.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the outer link before the inner one opens and splits what is between",
        "close the outer link before, or make one of the two a <span>",
    ),
    _unstable(
        "detached-link",
        "After a link inside a link behind foreign content or a select, the outer link is no longer open.",
        "{element} follows a link inside {other}",
        "a browser has taken the outer link off its stack and puts {element} after it",
        "remove the inner link",
    ),
    _unstable(
        "nested-button",
        "A button cannot contain a button.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the outer button before the inner one opens",
        "put the buttons side by side",
    ),
    _unstable(
        "nested-form",
        "A form cannot contain a form.",
        "{element} cannot be inside {other}{through}",
        "a browser ignores the inner form's start tag, and the first </form> ends the outer one",
        "put the forms side by side and use the form attribute of controls",
    ),
    _unstable(
        "nested-nobr",
        "<nobr> cannot contain <nobr>.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the outer one before the inner one opens",
        "use CSS white-space on one element",
    ),
    _unstable(
        "select-content",
        "Options, groups, inputs and selects do not nest inside one another.",
        "{element} cannot be inside {other}{through}",
        "a browser closes {other} before {element}, or drops the tag",
        "close {other} before {element}",
    ),
    _unstable(
        "ruby-part",
        "Ruby parts cannot stand inside one another or inside an open paragraph or item.",
        "{element} cannot be inside {other}{through}",
        "a browser closes {other} before {element}",
        "close {other} before {element}",
    ),
    # --- unstable: tables
    _unstable(
        "foster-parenting",
        "Between the parts of a table only its parts may stand.",
        "{element} cannot be directly inside {other}{through}",
        "a browser moves it out of the table, in front of it",
        "put it in a <td>, a <th> or the <caption>, or outside the table",
    ),
    _unstable(
        "table-part-misplaced",
        "Every part of a table stands only in its own place: table, section, row, cell.",
        "{element} is out of place{inside}{through}",
        "a browser ignores the tag, closes the open part or adds the missing ones",
        "write table > tbody > tr > td with every tag",
    ),
    _unstable(
        "table-in-table",
        "A table stands in another only inside a cell or the caption.",
        "{element} cannot be directly inside {other}{through}",
        "a browser closes the outer table",
        "put the inner table into a <td>",
    ),
    _unstable(
        "colgroup-content",
        "A column group holds only columns.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the column group and puts {element} elsewhere or drops it",
        "move it out of the <colgroup>",
    ),
    _unstable(
        "implied-tbody",
        "A row directly in a table gets a <tbody> that is not in the source (conforming).",
        "{element} stands directly in {other}",
        "a browser adds {detail} around it, which scripts and style sheets then see",
        "write {detail}",
    ),
    _unstable(
        "implied-colgroup",
        "A column directly in a table gets a <colgroup> that is not in the source (conforming).",
        "{element} stands directly in {other}",
        "a browser adds {detail} around it",
        "write {detail}",
    ),
    # --- unstable: the document's frame
    _unstable(
        "implied-document-tag",
        "<html>, <head> and <body> are added where the source leaves them out (conforming).",
        "{element} comes before the tags {detail}",
        "a browser adds them",
        "write {detail}",
    ),
    _unstable(
        "head-content",
        "The head holds metadata only; anything else ends it.",
        "{element} cannot be inside {other}{through}",
        "a browser ends the head here and starts the body; the rest of the head becomes body content",
        "move it into <body>",
    ),
    _unstable(
        "outside-body",
        "Nothing but comments stands between the head and the body or after the body.",
        "{element} stands outside of <head> and <body>",
        "a browser moves it into the head or the body, or drops it",
        "move it into <head> or <body>",
    ),
    _unstable(
        "repeated-document-tag",
        "<html>, <head>, <body> and frames stand once, at the top.",
        "{element} cannot be here{inside}{through}",
        "a browser drops the tag",
        "remove it",
    ),
    _unstable(
        "frameset-content",
        "A frameset holds frames only.",
        "{element} cannot be inside {other}",
        "a browser drops it",
        "use a page with a <body>",
    ),
    # --- unstable: end tags and closing
    _unstable(
        "omitted-end-tag",
        "An end tag is left out where the standard allows it (conforming).",
        "{element} has no end tag; {other} ends it",
        "a browser closes it there",
        "write the end tag before {other}",
    ),
    _unstable(
        "unclosed-element",
        "An element is never closed.",
        "{element} is not closed before {other}",
        "a browser keeps it open as long as it can: it swallows what follows or leaks into later elements",
        "close it where it should end",
    ),
    _unstable(
        "misnested-tags",
        "Tags overlap: an element ends after its parent did.",
        "{element} closes {other} too late{detail_after}",
        "a browser closes and reopens elements to make a tree",
        "close elements in the reverse order of opening",
    ),
    _unstable(
        "stray-end-tag",
        "An end tag has no open element to close.",
        "{element} closes nothing here{inside}",
        "a browser ignores it, or makes an empty element of </p> and </br>",
        "remove it, or write the missing start tag",
    ),
    _unstable(
        "void-end-tag",
        "Void elements have no end tag.",
        "{element}: a void element has no end tag",
        "a browser ignores it; </br> becomes another <br>",
        "remove it",
    ),
    _unstable(
        "self-closing-tag",
        "A slash does not close an HTML element.",
        "{element} is written with a slash, which does not close it",
        "a browser ignores the slash and the element stays open",
        "write <…></…>",
    ),
    _unstable(
        "plaintext",
        "After <plaintext> everything to the end of the file is text.",
        "{element} can never be closed",
        "a browser takes the rest of the file, tags included, as text",
        "use <pre> and escape < and &",
    ),
    # --- unstable: other
    _unstable(
        "foreign-breakout",
        "HTML elements cannot stand directly in svg or math.",
        "{element} cannot be inside {other}{through}",
        "a browser closes the foreign content and goes on in HTML",
        "wrap it in <foreignObject>, or move it out",
    ),
    _unstable(
        "noscript-content",
        "With scripting on, noscript ends at the first </noscript> in the source.",
        "{element} contains another </noscript> before its end",
        "a browser with scripting on ends it there",
        "do not nest noscript or write its end tag in attributes or comments",
    ),
    _unstable(
        "renamed-element",
        "<image> is read as <img>.",
        "{element} is no element",
        "a browser makes it <img>",
        "write <img>",
    ),
    _unstable(
        "nesting-too-deep",
        "Chromium and WebKit stop nesting at 512 levels.",
        "{element} is more than 512 levels deep",
        "these browsers put deeper elements beside each other",
        "nest less",
    ),
    _unstable(
        "unterminated-markup",
        "A tag or comment is not finished before the end of the file.",
        "{element} is not finished",
        "a browser drops the unfinished tag or takes the rest of the file as a comment",
        "finish it; look for a missing quote or -->",
    ),
    _unstable(
        "round-trip",
        "The safety net: a real parser builds another tree, and no rule says why (only with --round-trip).",
        "{element} does not survive parsing",
        "a browser builds another tree than the tags say",
        "compare the tree in a browser's inspector with the source, and report the missing rule",
    ),
    # --- non-conforming: content models
    _model(
        "flow-in-phrasing",
        "An element for phrasing content holds flow content.",
        "{element} cannot be inside {other}{through}: only phrasing content may be there",
        "move it out, or replace {other} by an element for flow content such as <div>",
    ),
    _model(
        "child-not-allowed",
        "An element takes only certain children.",
        "{element} is no child for {other}",
        "use the children that {other} is made for, or another parent",
    ),
    _model(
        "misplaced-element",
        "An element stands outside the parent it belongs to.",
        "{element} belongs in {detail}{not_inside}",
        "put it into {detail}",
    ),
    _model(
        "text-not-allowed",
        "Text stands where only elements may be.",
        "text cannot be directly inside {other}",
        "put the text into a child that takes text",
    ),
    _model(
        "interactive-in-interactive",
        "Links and buttons contain nothing interactive and nothing focusable.",
        "{element} {detail} and cannot be inside {other}{through}",
        "put them side by side",
        "A browser keeps the tree, but which one a click or the keyboard reaches is not defined",
    ),
    _model(
        "interactive-in-option",
        "An option contains nothing interactive.",
        "{element} is interactive and cannot be inside {other}{through}",
        "take it out of the option",
        level="warning",
    ),
    _model(
        "label-controls",
        "A label names one control.",
        "{element} is a second control inside {other}",
        "give every control its own <label>",
        "A browser gives the label to the first control only",
    ),
    _model(
        "forbidden-descendant",
        "Some elements forbid others at any depth.",
        "{element} cannot be anywhere inside {other}{through}",
        "move it out of {other}",
    ),
    _model(
        "child-order",
        "Children stand in a fixed order.",
        "{element} is out of order in {other}: {detail}",
        "reorder the children",
    ),
    _model(
        "duplicate-child",
        "Some children stand only once.",
        "{element} is one too many for {other}",
        "keep one",
    ),
    _model(
        "missing-child",
        "Some children are required.",
        "{element} has no {detail}",
        "add {detail}",
    ),
    _model(
        "metadata-in-body",
        "Metadata belongs in the head.",
        "{element} belongs in <head>{not_inside}",
        "move it into <head>",
    ),
    _model(
        "main-ancestor",
        "<main> stands only in html, body, div, form and custom elements.",
        "{element} cannot be inside {other}",
        "move <main> up, or use <div>",
    ),
    _model(
        "obsolete-element",
        "The element is obsolete.",
        "{element} is obsolete",
        "use CSS or the element that replaced it",
        "A browser still shows it",
    ),
    _model(
        "unknown-element",
        "The element is not in the standard and no custom element.",
        "{element} is no element of HTML",
        "correct the name, or use a custom element's name with a hyphen",
        "A browser shows its content without any meaning",
    ),
    # --- non-conforming: attributes and syntax
    _model(
        "duplicate-attribute",
        "An attribute stands twice on one tag.",
        "{element} has the attribute {detail} twice",
        "remove one",
        "A browser takes the first and drops the other",
    ),
    _model(
        "duplicate-id",
        "An id is given twice in one document.",
        "{element} has the id {detail} that {other} element has already",
        "give every element its own id",
        "A browser takes links, labels and scripts to the first",
    ),
    _model(
        "malformed-tag",
        "A tag is not written as the standard says.",
        "{element}: {detail}",
        "quote values, put white space between attributes, and leave end tags bare",
        "A browser guesses attributes",
    ),
    _model(
        "malformed-markup",
        "A comment or declaration is not written as the standard says.",
        "{element}: {detail}",
        "write <!-- … --> without -- inside, and no <?…> or <!…>",
        "A browser takes it for a comment",
    ),
    _model(
        "bare-less-than",
        "A < that begins no tag has to be escaped.",
        "{element} begins no tag",
        "write &lt;",
        "A browser shows it as text",
    ),
    _model(
        "doctype",
        "A page begins with <!DOCTYPE html>.",
        "{element}: {detail}",
        "begin the file with <!DOCTYPE html> and nothing else of the kind",
        "Without it a browser uses quirks mode, in which a table does not close a paragraph",
    ),
    Rule(
        "unreadable-file",
        "unreadable",
        "error",
        "The file cannot be read as UTF-8 text.",
        "{detail}",
        "Nothing in it was checked",
        "save it as UTF-8 and make it readable",
    ),
)

RULES: dict[str, Rule] = {rule.id: rule for rule in _ALL}
"""All rules by id, in the order of the documentation."""

CONFORMING = ("implied-tbody", "implied-colgroup", "implied-document-tag", "omitted-end-tag")
"""Rules about what the standard allows; other projects may want them off."""


def is_unstable(rule: str) -> bool:
    """Whether this rule says that a browser builds another tree."""
    return RULES[rule].verdict == "unstable"
