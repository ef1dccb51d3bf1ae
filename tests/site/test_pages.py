"""What the pages of the sample project show."""

from __future__ import annotations

import json
import re

import pytest

from tests.site.conftest import Project

FILTERS = "content/concepts/retrieval/filters.md"


@pytest.fixture
def page(project: Project) -> str:
    code, said = project.build()
    assert code == 0, said
    return project.read("site/concepts/indexes/index.html")


def test_a_number_is_a_link_to_its_figure_and_carries_the_unrounded_value(page: str) -> None:
    assert (
        '<a class="num num--measured" href="../../data/sample/index.html#fig-chunks" data-num="num-sample-chunks">'
        '<data value="25646">25\u202f646</data></a>'
    ) in page
    assert 'id="num-sample-chunks"' in page


def test_a_time_shows_its_unit_and_a_share_can_read_as_percent(page: str) -> None:
    assert '<data value="12.345">12.3</data><span class="unit">\u202fms</span>' in page
    assert 'data-format="percent"><data value="0.4125">41.2</data><span class="unit">\u202f%</span>' in page


def test_a_calculation_shows_its_operands_and_its_value(page: str) -> None:
    calc = re.search(r'<span class="calc"><code>(.*?)</code> = <data value="(.*?)">(.*?)</data></span>', page)
    assert calc and calc[1].count("<a ") == 2
    assert float(calc[2]) == pytest.approx(1 - 0.4125 / 0.98125)
    assert calc[3] == "0.5796"


def test_a_metric_used_twice_has_one_panel_outside_the_article(page: str) -> None:
    article, after = page.split("</article>")
    assert 'href="#metric-recall-at-k"' in article
    assert page.count('id="metric-recall-at-k"') == 1
    assert 'id="metric-recall-at-k"' in after


def test_what_only_a_panel_cites_is_in_the_sources_and_numbers_of_the_page(project: Project) -> None:
    assert project.build()[0] == 0
    filters = project.read("site/concepts/filters/index.html")
    assert 'id="source-cormack2009"' in filters
    assert 'id="num-sample-recall_all"' in filters


def test_formulas_are_mathml_and_nothing_carries_a_style_attribute(page: str) -> None:
    assert '<div class="formula" tabindex="0"' in page
    assert "<mfrac>" in page
    assert "style=" not in page
    assert '<th scope="col" class="num-cell">What</th>' in page


def test_arg_min_is_printed_as_two_operators(project: Project) -> None:
    project.append(FILTERS, "\n$$b = \\arg\\min_j x_j$$\n")
    assert project.build()[0] == 0
    formula = project.read("site/concepts/filters/index.html").split('data-tex="b = ')[1].split("</math>")[0]
    assert re.search(r"<mo[^>]*>arg</mo><msub><mo>min</mo>", formula)


@pytest.mark.parametrize(
    ("formula", "below"), [("$a = \\argmn_j x$", 1), ("$$a = \\argmn_j x$$", 1), ("$$\na = 1 \\\\\nb = \\argmn x\n$$", 3)]
)
def test_a_formula_with_an_unknown_command_fails_the_build_at_its_line(
    project: Project, formula: str, below: int
) -> None:
    lines = len(project.read(FILTERS).splitlines())
    project.append(FILTERS, f"\n{formula}\n")
    code, said = project.build()
    assert code == 1
    assert f"{FILTERS}:{lines + 1 + below}:" in said
    assert "the formula uses \\argmn, which the converter to MathML does not know" in said


def test_a_question_opens_without_script_and_explains_its_wrong_options(page: str) -> None:
    assert '<details class="question"' in page
    assert "The control has full recall" in page


def test_unlocks_and_pager_follow_prerequisites_and_reading_order(project: Project) -> None:
    assert project.build()[0] == 0
    filters = project.read("site/concepts/filters/index.html")
    onward = filters.split('id="onward-title"')[1]
    assert "../../concepts/indexes/index.html" in onward
    assert 'rel="next" href="../../concepts/indexes/index.html"' in filters


def test_the_data_page_offers_the_same_bytes_the_figures_as_csv_and_a_description_for_machines(
    project: Project,
) -> None:
    assert project.build()[0] == 0
    source = (project.root / "data/interactive/sample.json").read_bytes()
    assert (project.root / "site/data/sample/sample.json").read_bytes() == source
    csv = project.read("site/data/sample/figures.csv").splitlines()
    assert csv[1] == 'recall_one,"recall@10, one tenant",0.4125,share,240,0.38,0.45,no'
    page = project.read("site/data/sample/index.html")
    block = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
    assert block
    described = json.loads(block[1])
    assert described["@type"] == "Dataset"
    assert described["variableMeasured"][0]["value"] == 0.4125


def test_records_mappings_and_scalars_of_a_result_become_tables(project: Project) -> None:
    assert project.build()[0] == 0
    page = project.read("site/data/sample/index.html")
    for table in ("table-result", "table-result-rows", "table-result-by_role", "table-timings"):
        assert f'id="{table}"' in page


def test_a_text_that_looks_like_markup_is_printed_as_text(project: Project) -> None:
    project.dataset(lambda data: data["result"]["rows"][0].update(note="<b>&</b></script>"))
    assert project.build()[0] == 0
    assert "&lt;b&gt;&amp;&lt;/b&gt;" in project.read("site/data/sample/index.html")


def test_roles_work_in_headings_tables_and_nested_lists(project: Project) -> None:
    project.append(
        "content/concepts/retrieval/filters.md",
        "\n## Recall {fig}`sample.recall_one`\n\n| a | b |\n|---|---|\n| x | {fig}`sample.recall_one\\|percent` |\n"
        "\n1. {fig}`sample.p50`\n   - {fig}`sample.chunks|unit`\n",
    )
    code, said = project.build()
    assert code == 0, said
    page = project.read("site/concepts/filters/index.html")
    assert '<h2 id="recall-0-412">' in page
    assert '<a href="#recall-0-412">Recall 0.412</a>' in page
    assert 'data-format="percent"' in page
    assert '25\u202f646</data><span class="unit"> chunks</span>' in page


def test_a_fault_in_a_table_cell_is_reported_on_its_own_line(project: Project) -> None:
    path = "content/concepts/retrieval/filters.md"
    project.append(path, "\n| a | b |\n|---|---|\n| x | y |\n| z | {fig}`sample.gone` |\n")
    line = project.read(path).count("\n")
    assert f"{path}:{line}:7: error [unknown-figure]" in project.build()[1]


def test_a_number_inside_a_link_fails_the_build(project: Project) -> None:
    project.append("content/concepts/retrieval/filters.md", "\n[see {fig}`sample.chunks`](#what-it-is)\n")
    code, said = project.build()
    assert code == 1
    assert "concepts/filters/index.html" in said
