"""Markdown to HTML: the parser with its plugins, and the rules that hand on roles, directives and formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, MutableMapping, Sequence
from functools import cache
from typing import Any

import latex2mathml.converter
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.myst_role.index import myst_role

from render.model import Heading
from render.text.directives import Directive, parse_info, render_directive
from render.text.roles import Role, render_role
from render.text.scope import Scope

Env = MutableMapping[str, Any]

UNKNOWN_COMMAND = re.compile(r"\\[A-Za-z]+")
MISSING_OPERATORS = {r"\arg": '<mo rspace="0.167em">arg</mo>'}
"""Standard LaTeX operators that the converter lacks, with their MathML."""


@cache
def parser() -> MarkdownIt:
    """The site's parser: CommonMark, tables, definition lists, footnotes, roles and $math$; no raw HTML."""
    md = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    md.use(deflist_plugin).use(footnote_plugin)
    md.use(dollarmath_plugin, allow_labels=False, allow_digits=False, double_inline=True)
    md.inline.ruler.before("backticks", "myst_role", _role_with_line)
    md.add_render_rule("myst_role", _render_role)
    md.add_render_rule("math_inline", _render_math)
    md.add_render_rule("math_inline_double", _render_math)
    md.add_render_rule("math_block", _render_math_block)
    md.add_render_rule("fence", _render_fence)
    md.add_render_rule("heading_open", _render_heading)
    md.add_render_rule("table_open", _render_table_open)
    md.add_render_rule("table_close", _render_table_close)
    md.add_render_rule("th_open", _render_cell)
    md.add_render_rule("td_open", _render_cell)
    return md


def render_block(text: str, scope: Scope, line: int) -> Markup:
    """Markdown blocks as HTML. ``line`` is the line of the scope's file on which ``text`` begins."""
    md = parser()
    env: Env = {"scope": scope}
    tokens = md.parse(text, env)
    _place(tokens, text, line)
    return Markup(md.renderer.render(tokens, md.options, env))


def render_inline(text: str, scope: Scope, line: int) -> Markup:
    """Inline Markdown as phrasing content."""
    md = parser()
    env: Env = {"scope": scope}
    tokens = md.parseInline(text, env)
    _place(tokens, text, line)
    return Markup(md.renderer.render(tokens, md.options, env))


def plain_text(token: Token, scope: Scope) -> str:
    """The text of inline content, roles rendered and their tags removed (for contents lists and ids)."""
    parts: list[str] = []
    for child in token.children or []:
        if child.type == "myst_role":
            silent = _silent(scope)
            parts.append(Markup(render_role(_role(child), silent)).striptags())
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        else:
            parts.append(child.content)
    return "".join(parts).strip()


def slugify(text: str) -> str:
    """An id out of a heading: small ASCII letters, digits and hyphens."""
    ascii_text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", ascii_text).strip("-") or "part"


def _role_with_line(state: StateInline, silent: bool) -> bool:
    """The MyST role rule, noting how far into the inline text the role stands."""
    start = state.pos
    if not myst_role(state, silent):
        return False
    if not silent:
        state.tokens[-1].meta["newlines"] = state.src.count("\n", 0, start)
    return True


def _place(tokens: Sequence[Token], text: str, first_line: int) -> None:
    """Gives every role, formula, fence and heading its line and column in the file."""
    lines = text.split("\n")
    start = 0
    for token in tokens:
        if token.map:
            start = token.map[0]
        token.meta["line"] = first_line + start
        passed = 0
        for child in token.children or []:
            here = start + child.meta.get("newlines", passed)
            child.meta["line"] = first_line + here
            source = lines[here] if here < len(lines) else ""
            marker = f"{{{child.meta.get('name')}}}`" if child.type == "myst_role" else child.content
            child.meta["column"] = max(0, source.find(f"{marker}{child.content}") if marker else 0) + 1
            if child.type in ("softbreak", "hardbreak"):
                passed += 1


def _role(token: Token) -> Role:
    return Role(token.meta["name"], token.content, token.meta["line"], token.meta["column"])


def _silent(scope: Scope) -> Scope:
    """A throw-away scope: what is rendered in it leaves no trace on the page."""
    return Scope(scope.library, scope.templates, scope.path, scope.rel, scope.block, scope.inline)


def _render_role(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    return str(render_role(_role(tokens[index]), env["scope"]))


def _render_math(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    token = tokens[index]
    display = "block" if token.type == "math_inline_double" else "inline"
    return _mathml(token, env["scope"], display)


def _render_math_block(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    formula = _mathml(tokens[index], env["scope"], "block")
    return f'<div class="formula" tabindex="0" role="region" aria-label="Formula">{formula}</div>\n'


def _mathml(token: Token, scope: Scope, display: str) -> str:
    source = token.content.strip()
    try:
        formula = str(latex2mathml.converter.convert(source, display=display))
    except Exception as error:  # the converter raises a dozen unrelated classes on bad input
        reason = str(error) or type(error).__name__
        scope.problem(token.meta["line"], "formula", f"the formula ${source}$ cannot be read: {reason}")
        return f"<code>{escape(source)}</code>"
    for missing, written in MISSING_OPERATORS.items():
        formula = formula.replace(f"<mi>{missing}</mi>", written)
    _report_unknown_commands(formula, token, scope)
    return formula.replace("<math ", f'<math data-tex="{escape(source)}" ', 1)


def _report_unknown_commands(formula: str, token: Token, scope: Scope) -> None:
    """The converter prints a command that it does not know as it was typed; here each is an error at its line."""
    for command in dict.fromkeys(UNKNOWN_COMMAND.findall(formula)):
        line = token.meta["line"] + token.content[: token.content.find(command)].count("\n")
        message = f"the formula uses {command}, which the converter to MathML does not know and would print"
        scope.problem(line, "formula", message, "use another command, or \\mathrm{…} for the name of a function")


def _render_fence(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    token = tokens[index]
    info = parse_info(token.info)
    if info is not None:
        directive = Directive(info[0], info[1], token.content, token.meta["line"])
        return str(render_directive(directive, env["scope"]))
    language = token.info.strip().split(" ")[0]
    attribute = f' class="language-{escape(language)}"' if language else ""
    label = f"{language} code" if language else "Code"
    return (
        f'<pre tabindex="0" role="region" aria-label="{escape(label)}">'
        f"<code{attribute}>{escape(token.content)}</code></pre>\n"
    )


def _render_heading(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    token, scope = tokens[index], env["scope"]
    level = int(token.tag[1:])
    if level == 1:
        scope.problem(token.meta["line"], "heading", "a page body begins at ##: its title is the heading 1")
    title = plain_text(tokens[index + 1], scope)
    ident = scope.unique_id(scope.prefix + slugify(title))
    if not scope.prefix:
        scope.headings.append(Heading(ident, title, level))
    return f'<{token.tag} id="{ident}">'


def _render_table_open(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    headings = [token for token in _until_close(tokens, index, "thead_close") if token.type == "inline"]
    label = ", ".join(filter(None, (plain_text(token, env["scope"]) for token in headings)))
    return (
        '<figure class="table">\n<div class="table-scroll" tabindex="0" role="region" '
        f'aria-label="Table: {escape(label)}">\n<table>\n'
    )


def _render_table_close(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    return "</table>\n</div>\n</figure>\n"


def _render_cell(self: Any, tokens: Sequence[Token], index: int, options: Any, env: Env) -> str:
    """A cell with its alignment as a class: the pages forbid style attributes."""
    token = tokens[index]
    kinds = {"text-align:right": "num-cell", "text-align:center": "mid-cell"}
    kind = kinds.get(str(token.attrs.get("style", "")), "")
    scope = ' scope="col"' if token.tag == "th" else ""
    return f"<{token.tag}{scope}" + (f' class="{kind}">' if kind else ">")


def _until_close(tokens: Sequence[Token], index: int, kind: str) -> Iterator[Token]:
    for token in tokens[index:]:
        if token.type == kind:
            return
        yield token
