"""What the guard remembers: an outcome is looked for once, and the memory of tags is bounded."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from checks.html import markup
from checks.html.guard import Guard
from checks.html.openings import Openings
from checks.html.tokens import Tag, intern_tag
from tests.guard.test_findings import forget


@pytest.fixture(autouse=True)
def _new() -> Iterator[None]:
    forget()
    markup.known.clear()
    yield
    forget()
    markup.known.clear()


def slow(text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tags whose outcome was not remembered."""
    tags: list[str] = []
    real = Guard._tag

    def counting(self: Guard, tag: Tag, start: int, end: int) -> int:
        tags.append(text[start:end])
        return real(self, tag, start, end)

    with monkeypatch.context() as patch:
        patch.setattr(Guard, "_tag", counting)
        Guard(text).run()
    return tags


def test_every_outcome_of_an_ordinary_tag_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ordinary = "<div><p class=x>a<br>b</p><input><svg><g></g></svg><a><b>c</b></a></div>\n"
    first = slow(ordinary * 2, monkeypatch)
    assert first[:10] == ["<div>", "<p class=x>", "<br>", "</p>", "<input>", "<svg>", "<g>", "</g>", "</svg>", "<a>"]
    assert first[10:] == ["<b>", "</b>", "</a>", "</div>"]
    assert slow(ordinary, monkeypatch) == []


def test_text_is_looked_at_only_where_it_may_be_out_of_place(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []
    monkeypatch.setattr(Openings, "text", lambda self, start, end: looked.append(self.source[start:end]))
    Guard("<div>a<p>b</p> <ul>c<li>d</li>\n</ul></div>").run()
    assert looked == ["c"]


def test_what_hangs_on_siblings_is_looked_at_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "<figure><figcaption>a</figcaption></figure><label><input></label><div><main></main></div>"
    Guard(text).run()
    again = slow(text, monkeypatch)
    assert {"<figure>", "<figcaption>", "</figure>", "<input>", "<main>"} <= set(again)


def test_what_quirks_mode_allows_is_not_remembered_for_other_pages() -> None:
    page = "<html lang=en><head><title>t</title></head><body><template><p><table></table></p></template></body></html>"
    assert [one.rule for one in Guard(page).run()] == ["doctype"]
    assert [one.rule for one in Guard(f"<!DOCTYPE html>{page}").run()] == ["flow-in-p"]


def test_the_memory_of_tags_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(markup, "_MAX_KNOWN", 3)
    Guard("<b><i><u></u></i></b>").run()
    assert list(markup.known) == ["</u>", "</i>", "</b>"]
    Guard("<b><i></i></b>").run()
    assert list(markup.known) == ["</b>"]


def test_a_tag_with_an_id_is_read_anew_every_time() -> None:
    Guard('<b id="a"></b><i></i>').run()
    assert set(markup.known) == {"</b>", "<i>", "</i>"}


def test_equal_tags_are_one_object() -> None:
    assert intern_tag("b") is intern_tag("b") is not intern_tag("b", closing=True)
