"""How the guards of a site read pages: elements with places, text and visibility, end tags supplied."""

from __future__ import annotations

from pathlib import Path

import pytest

from checks.html.fragment import is_fragment
from checks.pages import Element, read_folder, read_page


def shape(html: str) -> str:
    """The tree as nested names."""
    page = read_page(html, "a.html")
    return " ".join(_shape(one) for one in page.elements if one.parent is None)


def _shape(element: Element) -> str:
    inner = " ".join(_shape(child) for child in element.children())
    return f"{element.tag}({inner})" if inner else element.tag


def test_end_tags_that_may_be_left_out_are_supplied() -> None:
    assert shape("<ul><li>a<li>b</ul>") == "ul(li li)"
    assert shape("<p>a<p>b<div>c</div>") == "p p div"
    assert shape("<dl><dt>a<dd>b<dt>c</dl>") == "dl(dt dd dt)"
    assert shape("<table><thead><tr><th>a<tbody><tr><td>b<td>c<tr><td>d</table>") == (
        "table(thead(tr(th)) tbody(tr(td td) tr(td)))"
    )
    assert shape("<table><tr><td>a<thead><tr><th>b<td>c<tfoot><tr><td>d<th>e</table>") == (
        "table(tr(td) thead(tr(th td)) tfoot(tr(td th)))"
    )
    assert shape("<table><tbody><tr><th>a<th>b<tfoot><tr><th>c</table>") == "table(tbody(tr(th th)) tfoot(tr(th)))"
    assert shape("<table><tbody><tr><td>a<tbody></table>") == "table(tbody(tr(td)) tbody)"
    assert (
        shape("<table><tbody><tfoot></table><table><thead><tfoot></table>") == "table(tbody tfoot) table(thead tfoot)"
    )
    assert shape("<dl><dt>a<dt>b<dd>c<dd>d</dl>") == "dl(dt dt dd dd)"
    assert shape("<html><head><title>t</title><body><p>a") == "html(head(title) body(p))"
    assert shape("<select><option>a<option>b<optgroup><option>c</select>") == "select(option option optgroup(option))"


def test_void_elements_and_foreign_ones_with_a_slash_hold_nothing() -> None:
    assert shape("<p><br>a<img src=x>b</p>") == "p(br img)"
    assert (
        shape("<svg><g/><path d='M0 0'/><foreignObject><br></foreignObject></svg>") == "svg(g path foreignobject(br))"
    )
    assert shape("<div/>a<b>c</b>") == "div(b)"
    assert shape("<svg/><p>a</p><math/><p>b</p>") == "svg p math p"
    assert (
        shape("<svg><g><path/><path/></g></svg><math><mspace/><mi>x</mi></math>") == "svg(g(path path)) math(mspace mi)"
    )


def test_a_tag_with_odd_attributes_is_a_tag() -> None:
    page = read_page('<p><a b"c>x</a><i d=\'e\'f="g">y</i></p>', "a.html")
    assert [(one.tag, one.attributes) for one in page.elements] == [
        ("p", {}),
        ("a", {'b"c': ""}),
        ("i", {"d": "e", "f": "g"}),
    ]


@pytest.mark.parametrize("point", ["svg foreignobject", "svg desc", "svg title", "math annotation-xml"])
def test_inside_of_a_drawing_or_formula_html_is_read_as_html_again(point: str) -> None:
    around, tag = point.split()
    assert (
        shape(f"<{around}><{tag}><br><b/>x<i>y</i></b></{tag}><g/><p/></{around}>") == f"{around}({tag}(br b(i)) g p)"
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a < b <", "a < b <"),
        ("<p>a <? c > b", "a  b"),
        ("<p>a <b ", "a <b "),
        ("<p>a <!-- b", "a <!-- b"),
        ("<p>a </> b", "a  b"),
    ],
)
def test_what_begins_like_a_tag_and_is_none_is_text_or_nothing(html: str, text: str) -> None:
    page = read_page(html, "a.html")
    assert [one.tag for one in page.elements] == ["p"] and page.elements[0].text == text


def test_stray_and_crossed_end_tags_do_not_lose_what_follows() -> None:
    assert shape("</b><p>a</i></p><p>b</p>") == "p p"
    assert shape("<b><i>x</b></i><u>y</u>") == "b(i) u"


def test_raw_text_is_text_and_character_references_are_read() -> None:
    page = read_page(
        "<title>a &amp; <b></title><script>'<p>' &amp;</script><p title='&lt;'>&copy;<!-- <i> --></p>", "a.html"
    )
    assert [one.tag for one in page.elements] == ["title", "script", "p"]
    assert page.tagged("title")[0].text == "a & <b>"
    assert page.tagged("script")[0].text == "'<p>' &amp;"
    assert read_page("<textarea>&amp;</textarea>", "a.html").elements[0].text == "&"
    assert page.tagged("p")[0].text == "©" and page.tagged("p")[0].attributes == {"title": "<"}


def test_an_element_knows_its_place_its_extent_and_whether_it_shows() -> None:
    page = read_page(
        '<div hidden>\n <p id="a">x</p></div><b aria-hidden="true"><i>y</i></b><template><u>z</u></template>', "a"
    )
    inner, spoken = page.by_id["a"], page.tagged("i")[0]
    assert (inner.line, inner.column) == (2, 2)
    assert page.source[inner.offset : inner.end] == '<p id="a">x</p>'
    assert (inner.unseen, inner.unspoken) == (True, True)
    assert (spoken.unseen, spoken.unspoken) == (False, True)
    assert [one.unseen for one in read_page("<script></script><style></style><b></b>", "a").elements] == [
        True,
        True,
        False,
    ]
    assert page.tagged("u")[0].unseen and not page.tagged("b")[0].unseen
    assert inner.closest("div") is inner.parent and inner.closest("p") is inner and inner.closest("ul") is None
    assert page.ids() == {"a"} and page.is_fragment


def test_an_unclosed_element_reaches_to_the_end_of_the_file() -> None:
    page = read_page("<div><p>x", "a.html")
    assert [one.end for one in page.elements] == [9, 9]


def test_a_folder_is_read_by_path_and_unreadable_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b/c.html").write_text("<p>x</p>", encoding="utf-8")
    (tmp_path / "a.htm").symlink_to(tmp_path / "none")
    (tmp_path / "d.html").write_bytes(b"<p>\xff</p>")
    pages, unreadable = read_folder(tmp_path)
    assert [page.path for page in pages] == ["b/c.html", "d.html"]
    assert pages[1].tagged("p")[0].text == "\ufffd"
    assert [(Path(one.path).name, one.rule) for one in unreadable] == [("a.htm", "unreadable-file")]


@pytest.mark.parametrize(
    "text",
    [
        "<p>no document tag</p>",
        "<!-- <body> -->",
        "<p title='<body>'>",
        "<textarea><body></textarea>",
        "<title></title><style>/* <body> */</style>",
        "<script>'<body>'</script>",
        "<![CDATA[<body>]]>",
        "<svg><![CDATA[<g><body>]]></svg>",
        "<svg/><textarea/><body></textarea>",
        "<svg></svg><textarea/><body></textarea>",
        "</svg><textarea/><body></textarea>",
        "</script/><!-- <body>",
    ],
)
def test_a_document_tag_in_a_comment_a_value_or_raw_text_makes_no_page(text: str) -> None:
    assert is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "<!doctype>",
        "<!-- <p> --><BODY>",
        "<body =a>",
        "a < b <head>",
        "<p title='<body>'><body>",
        "<script>'<body>'</script><body>",
        "</script><body>",
        "</textarea/><body></textarea>",
        "<svg><script/></svg><body>",
        "<math><textarea/></math><body></textarea>",
        "<svg><desc><svg></svg></desc><textarea/><body></textarea>",
        "</svg><svg><textarea/></svg><body></textarea>",
        "<svg><![CDATA[<g>]]></svg><body>",
    ],
)
def test_a_document_tag_among_the_tags_makes_a_page(text: str) -> None:
    assert not is_fragment(text)
