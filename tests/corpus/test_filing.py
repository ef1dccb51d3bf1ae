"""The annual-report parser, on reports written here in the shapes that inline XBRL filings have."""

from harness.corpus.filing import parse
from harness.corpus.items import find_items
from harness.corpus.markup import blocks

NAMESPACES = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:ix="http://www.xbrl.org/2013/inlineXBRL"'
BREAK = '<hr style="page-break-after:always"/>'
BOLD = "font-weight:700"


def report(*pages: str) -> bytes:
    body = BREAK.join(pages)
    return f"<?xml version='1.0' encoding='ASCII'?><html {NAMESPACES}><body>{body}</body></html>".encode(
        "ascii", "xmlcharrefreplace"
    )


def text(body: str) -> str:
    return parse(report(body)).text


def footed(content: str, foot: object) -> str:
    return (
        f'{content}<div style="height:40pt;position:relative"><div style="bottom:0;position:absolute">'
        f"<div><span>{foot}</span></div></div></div>"
    )


def cells(*texts: str, bold: bool = False) -> str:
    style = f' style="{BOLD}"' if bold else ""
    return "<tr>" + "".join(f"<td><span{style}>{one}</span></td>" for one in texts) + "</tr>"


def money(label: str, *values: str) -> str:
    row = f'<td colspan="3"><span>{label}</span></td>'
    for value in values:
        row += '<td colspan="3" style="padding:0 1pt"></td>'
        if value.startswith("("):
            row += f'<td colspan="2"><span>{value[:-1]}</span></td><td><span>)</span></td>'
        else:
            fact = f'<ix:nonFraction contextRef="c-1">{value}</ix:nonFraction>'
            row += f"<td><span>$</span></td><td><span>{fact}</span></td><td></td>"
    return f"<tr>{row}</tr>"


def years(*names: str) -> str:
    row = '<td colspan="3"></td>'
    for one in names:
        row += f'<td colspan="3"></td><td colspan="3"><span style="{BOLD}">{one}</span></td>'
    return f"<tr>{row}</tr>"


def test_hidden_facts_and_the_xbrl_header_vanish_and_tagged_text_stays() -> None:
    body = (
        '<div style="display:none"><ix:header><ix:hidden><ix:nonNumeric contextRef="c-1">false</ix:nonNumeric>'
        "</ix:hidden></ix:header></div><ix:header>us-gaap:Assets</ix:header>"
        '<p>Sales were <ix:nonFraction contextRef="c-2">5</ix:nonFraction> million'
        '<span style="display: none">x</span>.</p>'
        '<ix:continuation><div>More <span style="visibility:hidden">no</span>text.</div></ix:continuation>'
    )
    assert text(body) == "Sales were 5 million.\n\nMore text.\n"


def test_breaks_are_pages_and_their_numbers_labels() -> None:
    parsed = parse(
        report(footed("<div>Cover</div>", ""), footed("<div>First</div>", 1), footed("<div>Last</div>", "F-2"))
    )
    assert [(number, label) for _, number, label in parsed.page_starts] == [(1, None), (2, "1"), (3, "F-2")]
    assert parsed.text == "Cover\n\nFirst\n\nLast\n"


def test_breaks_before_an_element_count_once() -> None:
    raw = report(
        "<p>One.</p>",
        '<div style="break-before:page"><p>Two.</p></div><div style="page-break-before: always">Three.</div>',
    )
    assert [number for _, number, _ in parse(raw).page_starts] == [1, 2, 3]
    assert parse(report("<p>One.</p>")).page_starts == ()


def test_running_heads_and_feet_leave_and_give_the_number_they_hold() -> None:
    pages = [
        footed(
            f"<div><a>Table of Contents</a></div><div>Matter {word}.</div>", f"Acme Inc. | 2024 Form 10-K | {number}"
        )
        for number, word in enumerate(("one", "two", "three", "four"), 7)
    ]
    parsed = parse(report(*pages))
    assert parsed.text == "Matter one.\n\nMatter two.\n\nMatter three.\n\nMatter four.\n"
    assert [label for _, _, label in parsed.page_starts] == ["7", "8", "9", "10"]


def test_a_head_that_holds_the_number_before_the_name_gives_it_too() -> None:
    pages = [f"<div>{number} The Acme Company</div><div>Matter {word}.</div>" for number, word in enumerate("abc", 4)]
    assert [label for _, _, label in parse(report(*pages)).page_starts] == ["4", "5", "6"]


def test_a_sentence_over_a_page_break_is_joined() -> None:
    parsed = parse(report(footed("<div>The goods and</div>", 1), footed("<div>services sold.</div>", 2)))
    assert parsed.text == "The goods and services sold.\n"
    assert parsed.page_starts[1][0] == len("The goods and ")


def test_a_table_is_a_line_a_row_with_figures_whole_and_its_header_marked() -> None:
    parsed = parse(
        report("<table>" + years("2024", "2023") + money("Sales", "1,200", "(30)") + "</table><p>After.</p>")
    )
    assert parsed.text == "| 2024 | 2023\nSales | $1,200 | (30)\n\nAfter.\n"
    start, header_end, end = parsed.tables[0]
    assert parsed.text[start:header_end] == "| 2024 | 2023\n"
    assert parsed.text[start:end].endswith("(30)")


def test_empty_cells_between_others_keep_figures_under_their_heading() -> None:
    rows = years("2024", "2023") + money("Sales", "12", "10") + money("Cost", "3", "2")
    rows = rows + '<tr><td colspan="3">Gain</td><td colspan="9"></td><td>$</td><td>7</td><td></td></tr>'
    assert "\nGain | | $7\n" in text(f"<table>{rows}</table>")


def test_a_negative_percentage_is_a_figure_of_its_own() -> None:
    row = "<tr><td>Mac</td><td>29</td><td></td><td>(27</td><td>)%</td><td></td><td>40</td></tr>"
    assert (
        text(f"<table>{cells('', '2024', '', 'Change', '', '', '2022', bold=True)}{row}{row}</table>").count(
            "| (27)% |"
        )
        == 2
    )


def test_a_table_of_text_has_a_bold_header_and_one_without_has_none() -> None:
    head, body = cells("Exhibit", "Description", bold=True), cells("3.1", "Charter") + cells("3.2", "By-laws")
    with_header = parse(report(f"<table>{head}{body}</table>"))
    assert with_header.text[slice(*with_header.tables[0][:2])] == "Exhibit | Description\n"
    plain = parse(report("<table>" + cells("Fees", "paid") + cells("Audit", "yes") + "</table>"))
    assert plain.tables[0][0] == plain.tables[0][1]


def test_tables_that_only_lay_out_text_are_paragraphs() -> None:
    bullets = cells("•", "First thing.") + cells("•", "Second thing.")
    parsed = parse(report(f"<table>{bullets}</table><table>{cells('A single box of text.')}</table>"))
    assert parsed.text == "• First thing.\n\n• Second thing.\n\nA single box of text.\n"
    assert parsed.tables == ()


def test_cells_that_span_rows_push_the_next_row_to_the_right() -> None:
    raw = report('<table><tr><td rowspan="2">Key</td><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr></table>')
    assert parse(raw).text == "Key | a | 1\n| b | 2\n"


def test_a_file_that_is_not_well_formed_is_read_as_browsers_do() -> None:
    assert parse(b"<html><body><p>One<br>two<p>Three &nbsp; four</body>").text == "One two\n\nThree four\n"


def test_items_are_found_in_the_body_and_not_in_the_contents() -> None:
    contents = "".join(cells(f"Item {n}.", "Name", str(page)) for n, page in (("1", 3), ("1A", 9), ("7", 20)))
    long = f"<p>{'Words about the business. ' * 20}</p>"
    body = (
        f"<table>{contents}</table>"
        f'<div style="{BOLD}">PART I</div><div style="{BOLD}">Item 1. Business</div>{long}'
        f'<table>{cells("ITEM 1A.", "RISK FACTORS", bold=True)}</table>{long}<div style="{BOLD}">Supply</div>{long}'
        f'<p>Item 1A of this report describes risks.</p><div style="{BOLD}">Item 1A. Risk Factors (continued)</div>'
        f'<div style="{BOLD}">Item 7.</div><div style="{BOLD}">Discussion of Results</div>{long}'
    )
    found = [(number, heading) for _, number, heading in parse(report(body)).sections]
    assert found[:4] == [("Part I", ""), ("Item 1", "Business"), ("Item 1A", "RISK FACTORS"), ("Item 1A", "Supply")]
    assert ("Item 7", "Discussion of Results") in found
    assert len([number for number, _ in found if number == "Item 1A"]) == 2


def test_contents_set_as_paragraphs_give_way_to_the_body() -> None:
    heads = [(0, "Item 1. Business", True), (30, "Item 2. Properties", True), (60, "Item 1. Business", True)]
    heads += [(2000, "Item 2. Properties", True)]
    assert [offset for offset, _, _ in find_items(heads, 4000)] == [60, 2000]
    assert find_items([(0, "Annual report", False)], 10) == ()


def test_bullets_are_parted_from_their_text() -> None:
    assert [block.text for block in blocks(report("<div><span>•</span><span>text</span></div>"))] == ["• text"]
