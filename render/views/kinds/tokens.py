"""Token mask: one decoding step, the leading tokens before and after a mask, what stays allowed, what was chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from render.numbers import number_text
from render.views.kinds.drawing import number
from render.views.kinds.kind import Kind
from render.views.marks import caption, class_attribute, data, mark

KIND = Kind("tokens", "Token mask", "Decoding step by step: what a mask forbids, what remains, what is chosen.")

_VISIBLE = {"\n": "⏎", "\t": "⇥", " ": "·"}


@dataclass(frozen=True)
class Token:
    """A token with its probability before the mask and after it; ``after`` is None where the mask forbids it."""

    text: str
    before: float
    after: float | None


@dataclass(frozen=True)
class Decoding:
    """One step: the text so far, the leading tokens, how many of the vocabulary are allowed, and the chosen token."""

    prefix: str
    tokens: Sequence[Token]
    allowed: int
    vocabulary: int
    chosen: str


def token_mask(step: Decoding, *, title: str, digits: int = 3, note: str | Markup = "") -> Markup:
    """The text with the chosen token set off, and a bar before and after the mask for each leading token.

    Both columns of bars share one scale from 0 to 1. Raises ``ValueError`` where a probability leaves [0, 1], more
    tokens are allowed than there are, or the chosen token is not among the leading ones that the mask allows.
    """
    _check(step, title)
    rows = Markup("").join(_row(token, token.text == step.chosen, digits) for token in step.tokens)
    said = Markup("{} of {} tokens allowed ({} %)").format(
        data(step.allowed), data(step.vocabulary), number_text(100 * step.allowed / step.vocabulary, 2)
    )
    return Markup(
        '<figure class="k-tokens table"><p class="token-text">'
        '<span class="visually-hidden">Text so far and chosen token: </span><code>{}'
        '<mark>{}</mark></code></p><p class="token-allowed">{}{}</p>'
        '<div class="table-scroll" tabindex="0" role="region" aria-label="{t}"><table><caption>{t}</caption><thead><tr>'
        '<th scope="col">Token</th><th scope="col" colspan="2">Before the mask</th>'
        '<th scope="col" colspan="2">After</th><th scope="col">Mask</th></tr></thead><tbody>{}</tbody></table></div>{}'
        "</figure>"
    ).format(step.prefix, step.chosen, _share(step), said, rows, caption(note), t=title)


def visible(text: str) -> str:
    """A token with its white space made visible: " a\\n" reads "·a⏎".

    >>> visible(" a\\n")
    '·a⏎'
    """
    return "".join(_VISIBLE.get(letter, letter) for letter in text)


def _check(step: Decoding, title: str) -> None:
    for token in step.tokens:
        for value in (token.before, 0.0 if token.after is None else token.after):
            if not 0.0 <= value <= 1.0:
                raise ValueError(f"token mask “{title}”: {token.text!r} has the probability {value}")
    if not 0 < step.allowed <= step.vocabulary:
        raise ValueError(f"token mask “{title}”: {step.allowed} of {step.vocabulary} tokens allowed")
    if step.chosen not in [token.text for token in step.tokens if token.after is not None]:
        raise ValueError(f"token mask “{title}”: the chosen {step.chosen!r} is not among the leading allowed tokens")


def _row(token: Token, chosen: bool, digits: int) -> Markup:
    masked = token.after is None
    verdict = mark("discarded", "forbidden") if masked else mark("permitted", "allowed")
    after = Markup('<span class="note-inline">none</span>') if masked else data(token.after or 0.0, digits)
    said = Markup(' <span class="token-chosen">chosen</span>') if chosen else ""
    return Markup(
        '<tr{}><th scope="row"><code>{}</code>{}</th><td class="token-bar">{}</td><td class="num-cell">{}</td>'
        '<td class="token-bar">{}</td><td class="num-cell">{}</td><td>{}</td></tr>'
    ).format(
        class_attribute("is-on" if chosen else "discarded" if masked else ""), visible(token.text), said,
        _bar(token.before, "discarded" if masked else "permitted"), data(token.before, digits),
        _bar(token.after or 0.0, "permitted"), after, verdict,
    )  # fmt: skip


def _bar(value: float, role: str) -> Markup:
    return Markup(
        '<svg viewBox="0 0 100 16" width="100" height="16" preserveAspectRatio="none" aria-hidden="true" '
        'focusable="false"><rect class="bar-base" x="0" y="0" width="100" height="16"></rect>'
        '<rect class="fill {}" x="0" y="2" width="{}" height="12"></rect></svg>'
    ).format(role, number(100 * value))


def _share(step: Decoding) -> Markup:
    """The allowed part of the vocabulary as a bar of its whole; at least a sliver where anything is allowed."""
    width = max(1.0, 240 * step.allowed / step.vocabulary)
    return Markup(
        '<svg class="token-share" viewBox="0 0 240 12" width="240" height="12" aria-hidden="true" focusable="false">'
        '<rect class="fill discarded" x="0" y="3" width="240" height="6"></rect>'
        '<rect class="fill permitted" x="0" y="0" width="{}" height="12"></rect></svg>'
    ).format(number(width))
