"""Random documents from a seed: mostly legal nesting, with now and then a child or a tag that does not belong."""

from __future__ import annotations

import random

_PHRASING = ["span", "em", "a", "b", "i", "code", "label", "button", "ins", "map", "object", "x-tip", "ruby", "nobr"]
_FLOW = ["div", "p", "section", "ul", "dl", "table", "h2", "h3", "form", "details", "blockquote", "pre", "article"]
_ODD = [
    "li", "dt", "dd", "td", "tr", "tbody", "caption", "col", "colgroup", "option", "optgroup", "rt", "rp", "rtc", "rb",
    "summary", "dialog", "search", "svg", "math", "template", "select", "noscript", "body", "head", "html", "title",
    "textarea", "script", "style", "iframe", "hr", "image", "center", "marquee", "address", "input", "h1", "menu", "g",
    "foreignObject", "mi", "mtext", "annotation-xml", "font", "desc", "frameset", "th", "thead", "video", "xmp",
]  # fmt: skip
_VOID = ["br", "img", "input", "hr", "wbr"]
_VOID_NAMES = {*_VOID, "col", "link", "meta", "source", "image"}
_RAW = {"title", "textarea", "script", "style", "iframe", "xmp"}
_CHILDREN = {
    "ul": ["li"], "menu": ["li"], "dl": ["dt", "dd"], "table": ["tbody", "thead", "caption", "colgroup"],
    "tbody": ["tr"], "thead": ["tr"], "tr": ["td", "th"], "colgroup": ["col"], "select": ["option", "optgroup", "hr"],
    "optgroup": ["option"], "ruby": ["rt", "rp", "text"], "svg": ["g", "foreignObject", "title", "desc", "path"],
    "g": ["g", "text", "path"], "math": ["mi", "mtext", "annotation-xml", "mrow"], "details": ["summary", "p"],
    "template": ["tr", "td", "div", "li", "tbody", "col", "text", "script", "p", "option"],
}  # fmt: skip
_ATTRIBUTES = {
    "a": [' href="/x"', ""], "input": [' type="hidden"', ' type="text"'],
    "annotation-xml": [' encoding="text/html"', ""],
    "font": [' color="red"', ""], "template": ["", ' class="t"'],
}  # fmt: skip


class Generator:
    """Writes one document; every choice comes from the seed."""

    def __init__(self, seed: int, fault: float = 0.04) -> None:
        self.random = random.Random(seed)
        self.fault = fault
        self.left = self.random.randint(3, 40)

    def document(self) -> str:
        """A page with doctype, head and body."""
        doctype = "" if self.chance(0.03) else "<!DOCTYPE html>"
        body = self.children("body", 0)
        head = '<meta charset="utf-8"><title>t</title>'
        if self.chance(self.fault):
            head += self.element("head", 1)
        tail = self.element("html", 1) if self.chance(self.fault / 2) else ""
        return f'{doctype}<html lang="en">\n<head>{head}</head>\n<body>{body}</body>{tail}\n</html>\n'

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def children(self, parent: str, depth: int) -> str:
        count = self.random.choice((0, 1, 1, 2, 3)) if depth else 4
        parts = []
        for _ in range(count):
            if self.left <= 0 or depth > 9:
                break
            parts.append(self.child(parent, depth))
        return "".join(parts)

    def child(self, parent: str, depth: int) -> str:
        self.left -= 1
        if self.chance(0.2) and parent not in ("table", "tbody", "tr", "thead", "colgroup"):
            return self.random.choice(("text", "a &amp; b", " ", "<!-- <p> -->", "x"))
        if self.chance(self.fault):
            return self.random.choice(("</p>", "</div>", "</span>", "<![CDATA[x]]>", "</br>", "text", "<br/>", "< "))
        return self.element(parent, depth)

    def element(self, parent: str, depth: int) -> str:
        name = self.name(parent)
        if name == "text":
            return "t"
        shown = name.upper() if self.chance(0.05) else name
        attributes = self.random.choice(_ATTRIBUTES.get(name, [""]))
        if name in _VOID_NAMES:
            return f"<{shown}{attributes}>"
        if parent in ("svg", "g", "math") and self.chance(0.2):
            return f"<{shown}/>"
        content = "raw <b> &" if name in _RAW and parent not in ("svg", "g") else self.children(name, depth + 1)
        if name in _RAW and parent in ("svg", "g"):
            content = "t"
        end = "" if self.chance(self.fault / 2) else f"</{shown}>"
        return f"<{shown}{attributes}>{content}{end}"

    def name(self, parent: str) -> str:
        own = _CHILDREN.get(parent)
        if own and not self.chance(self.fault):
            return self.random.choice(own)
        if self.chance(self.fault * 2):
            return self.random.choice(_ODD)
        if parent in ("p", "h2", "h3", "pre", "rt", "summary", *_PHRASING) and not self.chance(self.fault):
            return self.random.choice([*_PHRASING, *_VOID, "svg", "math", "select", "template", "noscript"])
        return self.random.choice([*_FLOW, *_FLOW, *_PHRASING, *_VOID, "svg", "math", "template"])


def document(seed: int) -> str:
    """The random document with this seed."""
    return Generator(seed, (0.0, 0.01, 0.03, 0.08)[seed % 4]).document()
