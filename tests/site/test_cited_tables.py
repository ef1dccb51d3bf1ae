"""Figures declared as columns: the data page shows them once, prose cites them, the CSV lists them."""

from __future__ import annotations

from typing import Any

from tests.site.conftest import Project

TABLES = [
    {
        "rows": "/result/rows", "title": "Readings", "key": "{short}", "label": "{role}",
        "columns": [
            {"name": "recall", "path": "recall", "label": "recall@10, {row}", "digits": 3, "unit": "share", "n": "n",
             "interval": "bounds"},
            {"name": "note", "path": "note", "label": "note on {row}"},
        ],
    },
    {"rows": "/result/population", "columns": [{"name": "chunks", "path": "chunks", "label": "passages indexed",
                                                "unit": "chunks"}]},
    {"rows": "/timings", "columns": [{"name": "p50", "path": "p50_ms", "label": "median", "digits": 1, "unit": "ms",
                                      "n": 240, "interval": ["p50_ms", "p95_ms"]}]},
]  # fmt: skip


def declared(data: dict[str, Any]) -> None:
    """The sample dataset with columns in place of its figures."""
    rows = data["result"]["rows"]
    rows[0] |= {"short": "one", "n": 240, "bounds": [0.38, 0.45]}
    rows[1] |= {"short": "all", "n": 240}
    data["result"]["population"] = {"chunks": 25646}
    data["timings"]["p95_ms"] = 14.0
    del data["figures"]
    data["tables"] = TABLES


def test_a_site_builds_from_columns_and_prints_what_it_printed_from_figures(project: Project) -> None:
    def built() -> tuple[int, list[str]]:
        code, said = project.build()
        assert code == 0, said
        page = project.read("site/concepts/indexes/index.html")
        return page.count("num--measured"), project.read("site/data/sample/figures.csv").splitlines()

    numbers, before = built()
    project.dataset(declared)
    again, after = built()
    assert numbers == again > 5
    assert {row.partition(",")[0] for row in before} <= {row.partition(",")[0] for row in after}
    assert 'recall_one,"recall@10, one tenant",0.4125,share,240,0.38,0.45,no' in after
    assert "note_all,note on all tenants,control,,,,,no" in after


def test_the_data_page_shows_each_table_once_with_the_anchor_on_the_cell(project: Project) -> None:
    project.dataset(declared)
    assert project.build()[0] == 0
    page = project.read("site/data/sample/index.html")
    assert '<td class="num-cell" id="fig-recall_one">0.412 <span class="note-inline">0.380 to 0.450</span></td>' in page
    assert '<tr id="fig-chunks"><th scope="row"><code>chunks</code></th>' in page
    assert '<th scope="row">one tenant <code>one</code></th><td class="num-cell">240</td>' in page
    assert page.count("<caption>Readings</caption>") == 1 and "<caption>rows</caption>" not in page
    assert "<caption>by role</caption>" in page


def test_a_name_no_column_makes_is_refused_with_its_neighbour(project: Project) -> None:
    project.dataset(declared)
    project.replace("content/concepts/retrieval/filters.md", "sample.recall_one", "sample.recall_onne")
    code, said = project.build()
    assert code == 1 and "did you mean `sample.recall_one`?" in said
