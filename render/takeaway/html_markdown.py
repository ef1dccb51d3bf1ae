"""The site's own HTML as Markdown: prose, tables, walkthrough steps, questions; formulas as their TeX.

It knows the classes that ``render`` writes. Pictures without words (SVG marks) are left out; a chart gives its
description, and its data table follows it anyway.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from render.text.tree import Node, read_tree

Link = Callable[[str], str]
BLOCKS = frozenset(
    [
        *("p", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "hr"),
        *("table", "thead", "tbody", "tr", "caption", "figure", "figcaption"),
        *("div", "section", "header", "footer", "details", "summary"),
    ]
)
SKIPPED = frozenset(
    ["wt-index", "wt-controls", "wt-kicker", "wt-permalink", "rank-n", "question-tag", "footnote-backref"]
)
TITLES = frozenset(["pair-title", "chart-title"])
SPACED = frozenset(["rank-label", "rank-note", "rank-score", "slot-n", "move", "interval", "note-inline"])
DATA_LINK = re.compile(r"data/([\w-]+)/index\.html#(?:fig-(.+)|param-list)$")


def to_markdown(html: str | Node, link: Link) -> str:
    """The HTML, or its tree, as Markdown blocks; ``link`` turns an address of the page into one of the twin."""
    return "\n\n".join(_blocks(read_tree(html) if isinstance(html, str) else html, link))


def inline_markdown(html: str, link: Link) -> str:
    """Phrasing HTML as one line of Markdown."""
    return to_markdown(html, link).replace("\n\n", " ")


def _blocks(node: Node, link: Link) -> list[str]:
    """The children of a container: elements as blocks, runs of phrasing between them as paragraphs."""
    done: list[str] = []
    run: list[Node | str] = []

    def close() -> None:
        text = _paragraph(_squeeze("".join(_inline(child, link) for child in run)))
        run.clear()
        if text:
            done.append(text)

    for child in node.children:
        if isinstance(child, Node) and child.tag in BLOCKS and "arith" not in child.classes:
            close()
            done += [block for block in _block(child, link) if block]
        else:
            run.append(child)
    close()
    return done


def _block(node: Node, link: Link) -> list[str]:
    if node.classes & SKIPPED:
        return []
    if re.fullmatch(r"h[1-6]", node.tag):
        return ["#" * int(node.tag[1]) + " " + _text(node, link)]
    if node.tag == "p":
        text = _text(node, link)
        return [f"**{text}**" if text and node.classes & TITLES else _paragraph(text)]
    if node.tag in ("ul", "ol"):
        return _steps(node, link) if "wt-steps" in node.classes else [_list(node, link)]
    special = {"pre": _code, "table": _table, "blockquote": _quote, "dl": _definitions}.get(node.tag)
    if special:
        return [special(node, link)]
    if node.tag == "details":
        return _details(node, link)
    if node.tag in ("summary", "figcaption"):
        text = _text(node, link)
        return [f"*{text}*" if text and "*" not in text else text]
    return ["---"] if node.tag == "hr" else _blocks(node, link)


def _steps(node: Node, link: Link) -> list[str]:
    """The steps of a walkthrough: a numbered heading each, then what the step shows."""
    done: list[str] = []
    for number, step in enumerate(node.elements(), 1):
        blocks = _blocks(step, link)
        title = blocks[0].removeprefix("#### ") if blocks else ""
        done += [f"#### Step {number}: {title}", *blocks[1:]]
    return done


def _details(node: Node, link: Link) -> list[str]:
    summary = next((child for child in node.elements() if child.tag == "summary"), Node("summary"))
    rest = Node("div")
    rest.children = [child for child in node.children if child is not summary]
    title = _text(summary, link)
    if "option" in node.classes:
        return [f"{title}: " + " ".join(_blocks(rest, link))]
    if "chart-data" in node.classes:
        return _blocks(rest, link)
    tag = next((_text(child, link) for child in summary.find("span") if "question-tag" in child.classes), "")
    return [f"**{tag}.** {title}" if tag else f"**{title}**", *_blocks(rest, link)]


def _list(node: Node, link: Link) -> str:
    items = [child for child in node.elements() if child.tag == "li"]
    number = int(node.attributes.get("start", "1"))
    lines = []
    for item in items:
        number = int(item.attributes.get("value", number))
        marker = f"{number}. " if node.tag == "ol" else "- "
        content = "\n\n".join(_blocks(item, link))
        lines.append(
            marker + content.replace("\n", "\n" + " " * len(marker)).replace("\n" + " " * len(marker) + "\n", "\n\n")
        )
        number += 1
    return "\n".join(lines)


def _definitions(node: Node, link: Link) -> str:
    lines, term = [], ""
    for part in node.find("dt", "dd"):
        if part.tag == "dt":
            term = _text(part, link)
        else:
            lines.append(f"- **{term}**: {' '.join(_blocks(part, link))}")
    return "\n".join(lines)


def _quote(node: Node, link: Link) -> str:
    return "\n".join(("> " + line).rstrip() for line in "\n\n".join(_blocks(node, link)).split("\n"))


def _code(node: Node, link: Link) -> str:
    code = next(node.find("code"), node)
    language = next((name[9:] for name in code.classes if name.startswith("language-")), "")
    text = _raw(node).rstrip("\n")
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 3)
    return f"{fence}{language}\n{text}\n{fence}"


def _table(node: Node, link: Link) -> str:
    """A pipe table; its caption stands above it."""
    caption = next((_text(part, link) for part in node.find("caption")), "")
    rows = [[cell for cell in row.elements() if cell.tag in ("th", "td")] for row in node.find("tr")]
    rows = [row for row in rows if row]
    if not rows:
        return ""
    has_head = next(node.find("thead"), None) is not None
    head = [_cell(cell, link) for cell in rows[0]] if has_head else [""] * len(rows[0])
    body = rows[1:] if has_head else rows
    widest = max(len(row) for row in rows)
    numeric = [any("num-cell" in row[at].classes for row in rows if at < len(row)) for at in range(widest)]
    lines = [
        head,
        ["---:" if right else "---" for right in numeric],
        *([_cell(cell, link) for cell in row] for row in body),
    ]
    text = "\n".join("| " + " | ".join(line + [""] * (widest - len(line))) + " |" for line in lines)
    return f"**{caption}**\n\n{text}" if caption else text


def _cell(node: Node, link: Link) -> str:
    return " ".join(_blocks(node, link)).replace("|", "\\|").replace("\n", " ")


def _inline(node: Node | str, link: Link) -> str:
    if isinstance(node, str):
        return _escape(node)
    if node.classes & SKIPPED:
        return ""
    if "arith" in node.classes:
        return " ".join(_inline(child, link).strip() for child in node.elements())
    if node.tag == "summary":
        return _text(node, link)
    if node.tag in BLOCKS:
        return " " + " ".join(_block(node, link)) + " "
    if node.tag == "svg":
        label = node.attributes.get("aria-label", "")
        return f" *Figure: {_escape(label)}* " if label else ""
    if node.tag == "math":
        tex, block = node.attributes.get("data-tex", ""), node.attributes.get("display") == "block"
        return f"$${tex}$$" if block else f"${tex}$"
    if node.tag == "code":
        return _code_span(node, link)
    if node.tag == "br":
        return " "
    inner = "".join(_inline(child, link) for child in node.children)
    if node.tag == "a":
        return _link(node, inner.strip(), link)
    if node.tag == "sup":
        return f"^{inner}"
    if node.tag in ("em", "i", "cite", "strong", "b") and inner.strip():
        mark = "*" if node.tag in ("em", "i", "cite") else "**"
        return f"{mark}{inner.strip()}{mark}"
    return f" {inner} " if node.classes & SPACED else inner


def _code_span(node: Node, link: Link) -> str:
    """Code as code; one that holds linked numbers is taken apart, since a code span cannot hold a link."""
    if next(node.find("a"), None) is not None:
        return "".join(_inline(child, link) for child in node.children)
    text = _raw(node).strip()
    fence = "``" if "`" in text else "`"
    pad = " " if "`" in text else ""
    return f"{fence}{pad}{text}{pad}{fence}" if text else ""


def _link(node: Node, text: str, link: Link) -> str:
    href = node.attributes.get("href", "")
    if not text or not href or href.startswith("#"):
        return text
    bound = DATA_LINK.search(href)
    if bound and "num" in node.classes:
        return f'[{text}]({link(href)} "{bound[1]}.{bound[2]}")' if bound[2] else f'[{text}]({link(href)} "{bound[1]}")'
    return f"[{text}]({link(href)})"


def _raw(node: Node) -> str:
    return "".join(child if isinstance(child, str) else _raw(child) for child in node.children)


def _text(node: Node, link: Link) -> str:
    return _squeeze("".join(_inline(child, link) for child in node.children))


def _squeeze(text: str) -> str:
    """Runs of ordinary white space as one space; narrow and non-breaking ones stay."""
    return re.sub(r"[ \t\n\r]+", " ", text).strip(" ")


def _escape(text: str) -> str:
    """Text whose signs mean themselves."""
    text = re.sub(r"([\\`*\[\]<$])", r"\\\1", text)
    return re.sub(r"(?<!\w)_|_(?!\w)", r"\\_", text)


def _paragraph(text: str) -> str:
    """A paragraph that cannot be taken for a heading, a list or a quotation."""
    return re.sub(r"^(#{1,6} |[-+>] |\d+(?=[.)] ))", lambda m: m[0] + "\\" if m[0].isdigit() else "\\" + m[0], text)
