"""How numbers print, and the guard that prose carries none of its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from checks.allowed import load_allowed
from checks.numbers import agrees, check_figures, check_prose
from checks.pages import read_site
from render.numbers import mean_text, number_text, percent_text, size_text

ALLOWED = load_allowed(Path(__file__).resolve().parents[2], [])


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (1.2, 2, "1.20"),
        (25646, None, "25\u202f646"),
        (1234, None, "1234"),
        (-0.5, 1, "\u22120.5"),
        (-0.001, 1, "0.0"),
        (0.00123, None, "0.00123"),
        (9999.9, 0, "10\u202f000"),
        (True, None, "yes"),
        (None, None, "none"),
        ("rfc8446", None, "rfc8446"),
    ],
)
def test_a_number_prints_with_its_digits(value: object, digits: int | None, text: str) -> None:
    assert number_text(value, digits) == text


def test_a_mean_of_counts_prints_whole_where_it_is_whole() -> None:
    assert [mean_text(value) for value in (0.0, 101.0, 2.66)] == ["0", "101", "2.7"]


@pytest.mark.parametrize("value", [0.7675, 0.0715, 0.2685, 1.0005, 0.5, 0.125])
def test_what_is_printed_agrees_with_the_guard_also_where_the_last_digit_is_a_five(value: float) -> None:
    for digits in (0, 1, 2, 3):
        assert agrees(number_text(value, digits), value, digits)
        assert agrees(percent_text(value, digits), value, None, percent=True)


def test_a_share_prints_as_percent_and_a_size_in_powers_of_ten() -> None:
    assert percent_text(0.4125, 3) == "41.2"
    assert size_text(999) == "999\u202fbytes"
    assert size_text(12_345) == "12.3\u202fkB"


@pytest.mark.parametrize(
    "text",
    [
        "It loses 41 results.",
        "It loses 0.41 of them.",
        "It takes 12ms.",
        "It takes −3 steps.",
        "- a list with 3 things",
        "| a | b |\n|---|---|\n| x | 7 |",
        "```{question}\nask: Is it 5?\n```",
        "```{steps}\n- take 9 rows\n```",
        "## Heading 4 you",
        "---\nsummary: Loses 41 results.\n---\nText.",
        "---\nsummary: >-\n  It loses\n  41 results.\n---\nText.",
        "---\ntitle: The 41\n---\nText.",
        "---\nclaims:\n  - says: It loses 41 of them.\n    holds: a.b > 4\n---\nText.",
        "![A curve that ends at 41](curve.svg)",
        '![A curve](curve.svg "ends at 41")',
        '[a link](page.md "all 41 of them")',
        "[all 41 of them](page.md)",
        "> A quotation of 41 words.",
        "Term 41\n: what it means",
        "Text[^1].\n\n[^1]: It loses 41.",
        "```{table} a:/result/rows\nlimit: 5\ncaption: The 41 best\n```",
        "```{chart} a:/result/rows\nkind: line\ndesc: It ends at 41.\n```",
        "```{chart} a:/result/rows\ny_label: all 41\n```",
        "It loses 41 of 2009.",
        "In 2009 it lost 41.",
        "First  \nthen 41.",
        "It loses &#52;1 of them.",
        "---\ntitle: [a]\nclaims:\n  - text\n  - {holds: a.b}\n  - {says: It loses 41.}\n---\nText.",
    ],
)
def test_a_typed_number_is_found(text: str) -> None:
    assert [problem.rule for problem in check_prose(text, "page.md", ALLOWED)] == ["unbound-number"]


@pytest.mark.parametrize(
    "text",
    [
        "BM25 and L2 and sha256 are names.",
        "In 2009, RFC 8446 and RFCs 5246 and 8446 of section 4.2.1.",
        "PostgreSQL 18 with pgvector 0.8.5, recall@10 and NDCG@10.",
        "`LIMIT 10` and $k = 60$ and {calc}`1/(60+3)` and {fig}`a.b`",
        "```sql\nLIMIT 10\n```",
        "$$\nk = 60\n$$",
        "[a link](https://example.org/page/7)",
        "```{table} a:/result/rows\nlimit: 5\n```",
        "```{table} a:/result/rows\nwhere: {ef_search: 200}\ncaption: At ef_search 200, with 95% intervals\n```",
        "---\nclaims:\n  - says: From 0 to 200 nothing changes.\n    holds: a.k0_x == a.k200_x\n---\nText.",
        "---\nslug: page-41\nupdated: 2026-11-30\n---\nText.",
        "![A curve of 2009](curve-41.svg)",
        "```python\ntitle: 41\n```",
        "#\n\nText.",
        "---\n- 41\n---\nText.",
        "---\n---\nText.",
        "---\nclaims: 41\n---\nText.",
        "---\nclaims: {says: 41}\n---\nText.",
        "---\nothers:\n  - says: It loses 41.\n---\nText.",
    ],
)
def test_names_years_code_formulas_and_roles_may_carry_digits(text: str) -> None:
    assert check_prose(text, "page.md", ALLOWED) == []


@pytest.mark.parametrize(
    "text",
    [
        "It returns half of the results.",
        "It is twice as fast, and nothing says so.",
        "Two thirds of the\nresults are lost.",
        "Half of its time goes there.",
        "It takes ten times as long.",
        "It finds a quarter\nmore.",
        "- a third fewer results",
        "It is a dozen times faster.",
        "It is twice as fast, *and* nothing says so.",
    ],
)
def test_a_comparison_in_words_that_nothing_bears_out_is_found(text: str) -> None:
    (one,) = check_prose(text, "page.md", ALLOWED)
    assert (one.rule, one.level, one.line) == ("unbound-quantity", "warning", 1)


@pytest.mark.parametrize(
    "text",
    [
        "It returns half of the results, {fig}`a.b|percent`.",
        "It is twice as fast: {calc}`2/1`.",
        "Half of $n$ is enough.",
        "It is twice as fast as `x`, as $n$ says.",
        "It is twice as fast as `x`.",
        "It is twice as fast as $n$.",
        "It is twice as fast as $$n$$ says.",
        "{claim}`It takes half of the time. | a.b < a.c / 2`",
        "---\nclaims:\n  - says: It keeps half of the rows.\n    holds: a.b < 0.5\n---\nIt keeps half of\nthe rows.",
        "Nothing is stored twice, and the other half waits.",
        "Four workers are four times the ceiling, and it lacks half of the evidence.",
        "| what | share |\n|---|---|\n| a third of the chunks | {fig}`a.b` |",
        "```{question}\nask: Is it twice as fast?\n```",
    ],
)
def test_a_comparison_beside_what_bears_it_out_passes(text: str) -> None:
    assert check_prose(text, "page.md", ALLOWED) == []


def test_a_comparison_after_a_table_stands_in_running_text_again() -> None:
    (one,) = check_prose("| a |\n|---|\n| b |\n\nIt is twice as fast.", "page.md", ALLOWED)
    assert (one.rule, one.line, one.column) == ("unbound-quantity", 5, 7)


@pytest.mark.parametrize(
    "text",
    [
        "| a |\n| - |\n| {fig}`d.f|percent` |",
        "A value of {fig}`d.f and more.",
        "See {concept} `rrf`.",
        "```{steps}\n- {cite}`a and b\n```",
    ],
)
def test_a_role_that_is_printed_as_it_is_written_is_found(text: str) -> None:
    assert {problem.rule for problem in check_prose(text, "a.md", [])} == {"unread-role"}


@pytest.mark.parametrize("text", ["| a |\n| - |\n| {fig}`d.f\\|percent` |", "`{fig}` names a figure.", "{fig}`d.f`"])
def test_a_role_that_is_read_or_named_passes(text: str) -> None:
    assert check_prose(text, "a.md", []) == []


def test_a_number_beyond_the_last_line_of_its_file_has_the_first_column() -> None:
    (one,) = check_prose('---\ntitle: "a\\n\\n41"\n---', "page.md", ALLOWED)
    assert (one.line, one.column) == (4, 1)


def test_the_place_of_a_number_in_a_summary_of_several_lines_is_that_of_the_summary() -> None:
    (one,) = check_prose("---\ntitle: x\nsummary: >-\n  It loses\n  41.\n---\n", "page.md", ALLOWED)
    assert one.line == 3


def test_the_line_and_column_of_a_typed_number_are_its_own() -> None:
    problem = check_prose("First\nline,\nthen 41 more.", "page.md", ALLOWED)[0]
    assert (problem.line, problem.column) == (3, 6)
    (problem,) = check_prose("A line, broken  \nthen 41 more.", "page.md", ALLOWED)
    assert (problem.line, problem.column) == (2, 6)


@pytest.mark.parametrize(
    ("text", "value", "digits", "percent", "same"),
    [
        ("0.412", 0.4125, 3, False, True),
        ("0.413", 0.4125, 3, False, True),
        ("0.42", 0.4125, None, False, False),
        ("0.41", 0.4125, 3, False, False),
        ("41.2", 0.4125, 3, True, True),
        ("25\u202f646", 25646, 0, False, True),
        ("\u22121", -1, 0, False, True),
        ("yes", True, None, False, True),
        ("no", True, None, False, False),
        ("none", None, None, False, True),
        ("rfc8446", "rfc8446", None, False, True),
        ("1", "1", None, False, True),
        ("0.41", 0.4125, None, False, True),
        ("41", 0.4125, 1, True, True),
        ("x", 1, None, False, False),
        ("NaN", 1, None, False, False),
    ],
)
def test_a_printed_figure_is_its_value_rounded(
    text: str, value: object, digits: int | None, percent: bool, same: bool
) -> None:
    assert agrees(text, value, digits, percent) is same


def test_a_page_that_prints_another_number_than_its_dataset_is_found(tmp_path: Path) -> None:
    data = tmp_path / "data/d"
    data.mkdir(parents=True)
    (data / "d.json").write_text('{"figures": {"x": {"value": 0.5, "digits": 2}}}')
    link = '<a class="num" data-num="num-d-x" href="data/d/index.html#fig-x"><data value="0.5">{}</data></a>'
    (tmp_path / "index.html").write_text(link.format("0.50"))
    assert check_figures(tmp_path) == []
    (tmp_path / "index.html").write_text(link.format("0.51"))
    assert [problem.rule for problem in check_figures(tmp_path)] == ["figure-differs"]


FIGURES: dict[str, object] = {
    "half": {"value": 0.5, "digits": 2},
    "word": {"value": "rfc"},
    "spread": {"value": 2, "digits": 1, "interval": [1.5, 2.5]},
    "alone": {"value": 2},
}


def figures(root: Path, html: str) -> list[str]:
    """What the guard says of a page beside the data page of ``d``."""
    (root / "data/d").mkdir(parents=True, exist_ok=True)
    (root / "data/d/d.json").write_text(json.dumps({"figures": FIGURES}))
    (root / "index.html").write_text(html)
    return [problem.message for problem in check_figures(root)]


def printed(name: str, value: str, text: str, how: str = "", page: str = "d", high: str = "") -> str:
    link = f'<a class="num" data-num="n" data-format="{how}" href="data/{page}/index.html#fig-{name}">'
    return f'{link}<data class="{high}" value="{value}">{text}</data></a>'


@pytest.mark.parametrize(
    ("html", "says"),
    [
        (printed("half", "0.5", "50", "percent"), ""),
        (printed("half", "0.5", "0.50", "percent"), "prints '0.50'"),
        (printed("half", "0.6", "0.50"), "<data value='0.6'>, but d holds 0.5"),
        (printed("word", "rfc", "rfc"), ""),
        (printed("word", "rfc", "rfd"), "prints 'rfd'"),
        (printed("spread", "1.5", "1.5", "interval"), ""),
        (printed("spread", "2.5", "2.5", "interval", high="high"), ""),
        (printed("spread", "2", "2.0"), ""),
        (printed("alone", "null", "none", "interval"), ""),
        (printed("none", "0.5", "0.50"), "links to 'fig-none', which is no figure of d"),
        (printed("half", "0.5", "0.50", page="e"), "which is no figure of e"),
        ('<data value="1">2</data>', ""),
        (printed("none", "1", "2").replace('class="num"', ""), ""),
        (printed("none", "1", "2").replace('data-num="n"', ""), ""),
    ],
)
def test_a_printed_figure_is_held_to_its_dataset_in_every_form(tmp_path: Path, html: str, says: str) -> None:
    found = figures(tmp_path, html)
    assert len(found) == bool(says) and all(says in message for message in found)


def test_pages_and_datasets_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert figures(tmp_path, printed("half", "0.5", "0.51") * 2) != []
    pages, read = read_site(tmp_path), []
    bytes_of = Path.read_bytes

    def counted(file: Path) -> bytes:
        read.append(file.name)
        return bytes_of(file)

    monkeypatch.setattr(Path, "read_bytes", counted)
    assert check_figures(tmp_path, []) == [] and read == []
    assert len(check_figures(tmp_path, pages)) == 2 and read == ["d.json"]
