"""The rules about trees that are as written and not as the standard wants them, and about how tags are written."""

from __future__ import annotations

from .rule import non_conforming

NON_CONFORMING = (
    # --- non-conforming: content models
    non_conforming(
        "flow-in-phrasing",
        "An element for phrasing content contains flow content.",
        "{element} cannot be inside {other}{through}: only phrasing content may be there",
        "move it out, or replace {other} by an element for flow content such as <div>",
    ),
    non_conforming(
        "child-not-allowed",
        "An element allows only certain children.",
        "{element} cannot be a child of {other}",
        "use children that {other} allows, or another parent",
    ),
    non_conforming(
        "misplaced-element",
        "An element is outside the parent it belongs to.",
        "{element} belongs in {detail}{not_inside}",
        "put it into {detail}",
    ),
    non_conforming(
        "text-not-allowed",
        "There is text where only elements are allowed.",
        "text cannot be directly inside {other}",
        "put the text into a child that takes text",
    ),
    non_conforming(
        "interactive-in-interactive",
        "Links and buttons contain nothing interactive and nothing focusable.",
        "{element} {detail} and cannot be inside {other}{through}",
        "put them side by side",
        "A browser keeps the tree, but which one a click or the keyboard reaches is not defined",
    ),
    non_conforming(
        "interactive-in-option",
        "An option contains nothing interactive.",
        "{element} is interactive and cannot be inside {other}{through}",
        "take it out of the option",
        level="warning",
    ),
    non_conforming(
        "label-controls",
        "A label names one control.",
        "{element} is a second control inside {other}",
        "give every control its own <label>",
        "A browser gives the label to the first control only",
    ),
    non_conforming(
        "forbidden-descendant",
        "Some elements forbid others at any depth.",
        "{element} cannot be anywhere inside {other}{through}",
        "move it out of {other}",
    ),
    non_conforming(
        "child-order",
        "Some children have a fixed order.",
        "{element} is out of order in {other}: {detail}",
        "reorder the children",
    ),
    non_conforming(
        "duplicate-child",
        "Some children are allowed only once.",
        "{element} is one too many for {other}",
        "keep one",
    ),
    non_conforming(
        "missing-child",
        "Some children are required.",
        "{element} has no {detail}",
        "add {detail}",
    ),
    non_conforming(
        "metadata-in-body",
        "Metadata belongs in the head.",
        "{element} belongs in <head>{not_inside}",
        "move it into <head>",
    ),
    non_conforming(
        "main-ancestor",
        "<main> is allowed only in html, body, div, form and custom elements.",
        "{element} cannot be inside {other}",
        "move <main> up, or use <div>",
    ),
    non_conforming(
        "obsolete-element",
        "The element is obsolete.",
        "{element} is obsolete",
        "use CSS or the element that replaced it",
        "A browser still shows it",
    ),
    non_conforming(
        "unknown-element",
        "The element is neither in the standard nor a custom element.",
        "{element} is not an HTML element",
        "correct the name, or use a custom element's name with a hyphen",
        "A browser shows its content without any meaning",
    ),
    # --- non-conforming: attributes and syntax
    non_conforming(
        "duplicate-attribute",
        "An attribute appears twice on one tag.",
        "{element} has the attribute {detail} twice",
        "remove one",
        "A browser takes the first and drops the other",
    ),
    non_conforming(
        "duplicate-id",
        "An id is given twice in one document.",
        "{element} has the id {detail}, which {other} element already has",
        "give every element its own id",
        "For a browser, links, labels and scripts refer to the first",
    ),
    non_conforming(
        "malformed-tag",
        "A tag is not written as the standard says.",
        "{element}: {detail}",
        "quote values, put white space between attributes, and leave end tags bare",
        "A browser guesses attributes",
    ),
    non_conforming(
        "malformed-markup",
        "A comment or declaration is not written as the standard says.",
        "{element}: {detail}",
        "write <!-- … --> without -- inside, and no <?…> or <!…>",
        "A browser takes it for a comment",
    ),
    non_conforming(
        "bare-less-than",
        "A < that does not start a tag must be escaped.",
        "{element} does not start a tag",
        "write &lt;",
        "A browser shows it as text",
    ),
    non_conforming(
        "doctype",
        "A page starts with <!DOCTYPE html>.",
        "{element}: {detail}",
        "start the file with <!DOCTYPE html>",
        "Without it a browser uses quirks mode, in which a table does not close a paragraph",
    ),
    non_conforming(
        "undecodable-bytes",
        "Every byte of a file can be read in its encoding.",
        "{detail}",
        "save the file as UTF-8",
        "A browser shows U+FFFD there, or guesses another encoding",
    ),
    non_conforming(
        "legacy-encoding",
        "A page is encoded in UTF-8.",
        "{element} gives {detail}; the standard allows only UTF-8",
        "save the file as UTF-8, without a byte-order mark, and say so in <meta charset>",
        "A browser uses that encoding, or guesses one if it does not know the name",
        "warning",
    ),
)
"""In the order of the documentation."""
