"""Odd options and odd datasets: each is told for what it is, once, and nothing is written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.site.conftest import Project

PAGE = "content/concepts/retrieval/filters.md"


@pytest.mark.parametrize(
    "address",
    [
        "example.org/z/",
        "ftp://example.org/",
        "file:///tmp/z/",
        "https://",
        "https:///z/",
        "https://example.org:port/",
        "https://example.org:0/",
        "https://[::1/",
        "https://example.org/z/?a=b",
        "https://example.org/?",
        "https://example.org/z#top",
        "https://name:secret@example.org/",
        "https://example.org/a b/",
        "https://example.org/a//b/",
        "https://example.org/a/../b/",
        'https://example.org/"><script>',
    ],
)
def test_an_address_that_no_site_can_have_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    with pytest.raises(SystemExit) as stopped:
        project.build("--base-url", address)
    assert stopped.value.code == 2
    assert "expected https://host/path/" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["0", "-1"])
def test_a_number_of_jobs_that_renders_nothing_is_refused(
    project: Project, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    with pytest.raises(SystemExit):
        project.build("--jobs", jobs)
    assert "expected 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["https://example.org", "http://localhost:8000/a/b", "https://[::1]:8443/z/"])
def test_an_address_with_or_without_path_port_and_last_slash_is_taken(project: Project, address: str) -> None:
    code, said = project.build("--base-url", address)
    assert code == 0, said
    assert f"<loc>{address.rstrip('/')}/concepts/filters/</loc>" in project.read("site/sitemap.xml")


def test_a_key_that_stands_twice_in_a_dataset_fails_the_build_on_its_line(project: Project) -> None:
    text = project.read("data/interactive/sample.json")
    line = next(line for line in text.split("\n") if line.lstrip().startswith('"describes"'))
    project.write("data/interactive/sample.json", text.replace(line, f"{line.rstrip(',')},\n{line}", 1))
    code, said = project.build()
    assert code == 1
    number = project.read("data/interactive/sample.json").split("\n").index(line) + 2
    assert f"data/interactive/sample.json:{number}:1: error [json] a key stands twice in one object" in said
    assert "'describes'" in said


def test_an_absent_dataset_is_the_reason_that_its_published_page_is_gone(project: Project) -> None:
    project.write("content/published-ids.json", '{\n "data/sample/index.html": []\n}\n')
    (project.root / "data/interactive/sample.json").unlink()
    code, said = project.build()
    assert code == 1
    assert "was published and is gone, because the dataset `sample` is absent or cannot be used" in said
    assert "restore or mend data/interactive/sample.json; if it was renamed, add to `pages`" in said


def test_an_interval_prints_both_bounds_and_links_to_its_figure(project: Project) -> None:
    project.append(PAGE, "\nIts interval is {fig}`sample.recall_one|interval`.\n")
    code, said = project.build()
    assert code == 0, said
    assert (
        '<a class="num num--measured" href="../../data/sample/index.html#fig-recall_one" '
        'data-num="num-sample-recall_one" data-format="interval">[<data class="low" value="0.38">0.380</data>, '
        '<data class="high" value="0.45">0.450</data>]</a>'
    ) in project.read("site/concepts/filters/index.html")


def test_an_interval_that_no_capture_recorded_is_an_error(project: Project) -> None:
    project.append(PAGE, "\nIts interval is {fig}`sample.recall_all|interval`.\n")
    code, said = project.build()
    assert code == 1
    assert "`sample.recall_all` has no interval" in said


def test_a_printed_bound_that_the_dataset_does_not_hold_fails_the_build(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    from render.views import figures

    project.append(PAGE, "\nIts interval is {fig}`sample.recall_one|interval`.\n")
    monkeypatch.setattr(figures, "number_text", lambda value, digits=None: "0.385" if value == 0.38 else str(value))
    code, said = project.build()
    assert code == 1
    assert "the page prints '0.385', but sample holds 0.38" in said


def test_a_draft_is_written_with_its_problems_told_and_is_never_noted_as_published(
    project: Project, capsys: pytest.CaptureFixture[str]
) -> None:
    project.append(PAGE, "\nThe index loses 41 of the results.\n")
    code, said = project.build("--draft")
    assert code == 0
    assert "[unbound-number]" in said and "a draft, not for publishing: 1 to fix" in said
    assert "loses 41 of the results" in project.read("site/concepts/filters/index.html")
    with pytest.raises(SystemExit):
        project.build("--draft", "--update-ids")


def test_faults_of_lists_and_settings_are_told_together_and_end_no_build(project: Project) -> None:
    project.write("content/awaiting.yml", "metrics:\nothers:\n")
    project.write("content/numbers.yml", "patterns:\n  - pattern: (\n    reason: none\n")
    project.write("pyproject.toml", "[tool.zeroth-checks.budget.rules]\nweight = 'off'\n")
    code, said = project.build()
    assert code == 1
    assert "content/awaiting.yml:2:1: warning [awaiting] unknown key 'others'" in said
    assert "content/numbers.yml:2:1: error [allowed-number] the pattern '(' cannot be used" in said
    assert "pyproject.toml: error [settings] rules: no rule 'weight'; --rules lists them" in said


@pytest.mark.parametrize(
    ("file", "content", "told"),
    [
        (
            "content/site.yml",
            "title: t\ntagline: t\nversion: v\nsections: 3\n",
            r":4:1: error \[site-config\] `sections`",
        ),
        (
            "content/site.yml",
            "title: t\ntagline: t\nversion: v\nheadline: hello\n",
            r":4:1: error \[site-config\] `headline`",
        ),
        ("content/glossary.yml", "- {term: Index, says: It finds., also: 3}\n", r"error \[glossary\] .* is no entry"),
    ],
)
def test_a_value_of_another_kind_is_told_with_what_was_expected(
    project: Project, file: str, content: str, told: str
) -> None:
    project.write(file, content)
    code, said = project.build()
    assert code == 1
    assert re.search(re.escape(file) + ".*" + told, said), said
    assert "Traceback" not in said


@pytest.mark.parametrize("file", ["content/glossary.yml", "content/redirects.yml", "content/paths/odd.md"])
def test_a_list_that_is_not_utf8_is_named_with_its_line(project: Project, file: str) -> None:
    (project.root / file).parent.mkdir(exist_ok=True)
    (project.root / file).write_bytes(b"# first\n# \xff\n")
    code, said = project.build()
    assert code == 1
    assert f"{Path(file).name}:2:1: error [unreadable] byte 0xff is not UTF-8" in said


def test_levels_of_weight_in_the_settings_count_in_the_build(project: Project) -> None:
    project.write("pyproject.toml", "[tool.zeroth-checks.budget]\npage = 10\n")
    assert "error [page-weight]" in project.build()[1]
    off = "[tool.zeroth-checks.budget]\npage = 10\npaths.'site/*'.page-weight = 'off'\n"
    project.write("pyproject.toml", off)
    code, said = project.build()
    assert code == 0, said


LISTS = {
    "content/glossary.yml": "- {term: Index, says: It finds., also: [idx], see: filters}\n",
    "content/redirects.yml": "pages: []\nfragments:\n- {page: concepts/filters/index.html, from: old, to: what-it-is}\n",
    "content/paths/one.md": "---\ntitle: P\nfor: people\norder: 1\nsummary: s\nsteps:\n- {concept: filters, why: w}\n---\nText.\n",
}
PARTS = """
```{table} sample:/result/rows
columns: [role, {key: recall, label: Recall, digits: 2}]
limit: 1
```

```{chart} sample:/result/rows
kind: bars
x: role
y: recall
title: Recall
digits: 2
```
"""


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("content/glossary.yml", "term: Index", "term: ''", "[glossary]"),
        ("content/glossary.yml", "term: Index", "term: …", "[glossary]"),
        ("content/redirects.yml", "pages: []", "pages: 3", "[redirect] `pages` is no list"),
        ("content/redirects.yml", "pages: []\nfragments:\n", "", "[yaml] expected pages and fragments"),
        ("content/paths/one.md", "order: 1", "order: 0x_", "one.md:4:1: error [front-matter]"),
        (PAGE, "updated: 2025-05-02", "updated: 2025-02-31", "filters.md:6:1: error [front-matter]"),
        (PAGE, "updated: 2025-05-02", "updated: 2025-05-02\nclaims: [{[says]: a, holds: b}]", "[front-matter]"),
        (PAGE, "[role, {key: recall, label: Recall, digits: 2}]", "role", "`columns` is 'role': expected a list"),
        (PAGE, "label: Recall, digits: 2", "digits: -1", "`digits` is -1: expected a whole number from 0"),
        (PAGE, "label: Recall, digits: 2", "digits: true", "`digits` is True: expected a whole number from 0"),
        (PAGE, "limit: 1", "limit: none", "`limit` is 'none': expected a whole number from 1"),
        (PAGE, "limit: 1", "limit: 0", "`limit` is 0: expected a whole number from 1"),
        (PAGE, "limit: 1", "where: 3", "`where` is 3: expected {name: value}"),
        (PAGE, "x: role", "x: [role]", "`x` is ['role']: expected the name of a column"),
        (PAGE, "y: recall", "y: [1]", "`y` is [1]: expected the name of a column, or a list of them"),
        (PAGE, "title: Recall", "title: [Recall]", "`title` is ['Recall']: expected text"),
        (PAGE, "title: Recall", "title: Recall\nmaximum: .inf", "`maximum` is inf: expected a number"),
        (PAGE, "title: Recall", "title: Recall\ninterval: [recall]", "expected [low column, high column]"),
        (PAGE, "title: Recall", "title: Recall\nx_log: 1", "`x_log` is 1: expected true or false"),
        (PAGE, "title: Recall", "title:", "a chart needs 'title'"),
        ("content/site.yml", "pages: [filters,", "pages: [{}, filters,", "[site-config] {'id': 'retrieval'"),
        ("content/site.yml", "- {id: retrieval", "- 3\n  - {id: retrieval", "site.yml:9:1: error [site-config] 3 is no section"),
    ],
)  # fmt: skip
def test_an_odd_value_is_told_at_its_place(project: Project, file: str, old: str, new: str, told: str) -> None:
    for path, text in LISTS.items():
        project.write(path, text)
    project.append(PAGE, PARTS)
    project.replace(file, old, new)
    code, said = project.build()
    assert code == 1
    assert told in said, said


def test_the_project_of_the_odd_values_builds_without_them(project: Project) -> None:
    for path, text in LISTS.items():
        project.write(path, text)
    project.append(PAGE, PARTS)
    code, said = project.build()
    assert code == 0, said


def test_a_stray_file_that_is_not_utf8_is_named(project: Project) -> None:
    (project.root / "content/notes.md").write_bytes(b"first\n\xff\n")
    code, said = project.build()
    assert code == 1
    assert "notes.md:2:1: error [unreadable]" in said


def claimed(project: Project, holds: str) -> tuple[int, str]:
    project.replace(PAGE, "related: [indexes]", f"claims: [{{says: It is so., holds: {holds}}}]")
    return project.build()


def test_a_claim_may_stand_on_the_bounds_of_an_interval_and_shows_them(project: Project) -> None:
    code, said = claimed(project, "sample.recall_one.low > 0.3 and sample.recall_one.high < 0.5")
    assert code == 0, said
    text = project.read("site/concepts/filters/index.html")
    assert 'data-format="interval">low <data class="low" value="0.38">0.380</data></a> &gt; 0.3' in text
    assert 'data-format="interval">high <data class="high" value="0.45">0.450</data></a> &lt; 0.5' in text


def test_a_claim_whose_bound_has_moved_fails_the_build_with_the_bound(project: Project) -> None:
    code, said = claimed(project, "sample.recall_one.high < 0.45")
    assert code == 1
    assert "no longer holds: `sample.recall_one.high < 0.45` with sample.recall_one.high = 0.45" in said


def test_a_claim_on_the_bound_of_a_figure_without_interval_is_an_error(project: Project) -> None:
    code, said = claimed(project, "sample.recall_all.low > 0")
    assert code == 1
    assert "sample.recall_all has no interval" in said


@pytest.mark.parametrize("name", ["sample.low", "sample.recall_one.mean", "sample.recall_one.low.high"])
def test_a_name_that_is_neither_figure_nor_bound_is_unknown(project: Project, name: str) -> None:
    code, said = claimed(project, f"{name} > 0")
    assert code == 1
    assert "[unknown-figure]" in said, said
