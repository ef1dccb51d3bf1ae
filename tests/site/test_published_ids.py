"""The guard of published addresses, on small pages."""

from __future__ import annotations

import json
from pathlib import Path

from checks.ids import FILE, Named, check_ids, check_published, facts_of, published_ids, update_published, written
from checks.pages import read_page

MOVED = '<p http-equiv="refresh">x</p><meta name="x"><meta http-equiv="refresh" content="0; url=../new.html#part">'


def project(root: Path, text: str | None) -> Path:
    """A project with this text as its list, or without a list."""
    (root / "content").mkdir(exist_ok=True)
    if text is not None:
        (root / FILE).write_text(text, encoding="utf-8")
    return root


def pages(**texts: str) -> list[Named]:
    return [facts_of(read_page(text, name.replace("__", "/") + ".html")) for name, text in texts.items()]


def test_headings_and_parts_with_a_lasting_name_are_published() -> None:
    headings = "".join(f"<h{level} id='at-{level}'>x</h{level}>" for level in range(1, 7))
    parts = "".join(f"<p id='{kind}-a'>x</p>" for kind in ("wt", "fig", "metric", "term", "section", "num"))
    html = f"{headings}{parts}<h2>x</h2><h2 id=''>x</h2><h2 id='wt-a-title'>x</h2><p id='fig-a-title'>x</p><p>x</p>"
    lasting = [f"at-{level}" for level in range(2, 7)]
    lasting += [f"{kind}-a" for kind in ("wt", "fig", "metric", "term", "section")]
    assert published_ids(pages(index=html)) == {"index.html": sorted(lasting)}


def test_neither_a_missing_page_s_words_nor_a_page_that_sends_on_are_published() -> None:
    found = published_ids(pages(**{"404": "<h2 id='a'>x</h2>", "old__index": MOVED, "new": '<meta charset="utf-8">'}))
    assert found == {"new.html": []}
    assert published_ids(pages(a='<p http-equiv="refresh">x</p>')) == {"a.html": []}


def test_parts_of_a_page_that_sends_on_are_looked_for_where_it_leads() -> None:
    listed = {"old/index.html": ["part", "gone"]}
    (problem,) = check_ids(listed, pages(old__index=MOVED, new="<h2 id='part'>x</h2>"))
    assert problem.rule == "published-id" and "new.html has no id 'gone' any more" in problem.message
    assert problem.line == 0


def test_a_page_that_is_gone_is_told_with_its_dataset_where_it_was_that_of_one() -> None:
    listed = {"a.html": ["x"], "data/rrf/index.html": []}
    page, data = check_ids(listed, [], written(listed))
    assert (page.rule, page.line) == ("published-page", 2) and page.fix.startswith("add to `pages`")
    assert "the dataset `rrf` is absent" in data.message and "data/interactive/rrf.json" in data.fix
    assert "dataset" not in page.message and data.line == 5


def test_the_line_of_a_part_is_its_own_below_its_page_or_that_of_its_page() -> None:
    listed = {"a.html": ["x"], "b.html": ["x", "y"]}
    text = written(listed)
    found = check_ids(listed, pages(a="<p>x</p>", b="<p id='x'>x</p>"), text)
    assert [problem.line for problem in found] == [text.split("\n").index('  "x"') + 1, 7]
    short = '{\n"a.html": ["x"],\n"b.html": ["x",\n"y"]\n}'
    assert [one.line for one in check_ids(listed, pages(a="", b=""), short)] == [2, 3, 4]


def test_no_list_and_an_empty_one_are_fine_and_a_broken_one_is_told_and_kept(tmp_path: Path) -> None:
    found = pages(a="<h2 id='x'>x</h2>")
    assert check_published(project(tmp_path, None), found) == []
    assert update_published(tmp_path, found) == 1
    assert json.loads((tmp_path / FILE).read_text()) == {"a.html": ["x"]}
    assert check_published(tmp_path, found) == [] and update_published(tmp_path, found) == 0
    (gone,) = check_published(tmp_path, pages(a=""))
    assert (gone.rule, gone.line, gone.column) == ("published-id", 3, 1)
    for broken in ("{", "[]", '{"a": 1}'):
        project(tmp_path, broken)
        assert [one.rule for one in check_published(tmp_path, found)] == ["json"]
        assert update_published(tmp_path, found) == 0 and (tmp_path / FILE).read_text() == broken
