"""What elements are called, on small pieces of pages."""

from __future__ import annotations

import pytest

from checks.a11y import check_pages as check_accessibility
from checks.a11y.names import landmark_name, name, spoken_text
from checks.csp import check_pages
from checks.pages import Element, read_page


def element(html: str) -> Element:
    """The element with the id x."""
    return read_page(html, "a.html").by_id["x"]


@pytest.mark.parametrize(
    ("html", "called"),
    [
        ('<a id="x">one<b>two</b> three</a>', "onetwo three"),
        ('<button id="x"><p>one</p><p>two</p></button>', "one two"),
        ('<h2 id="x">one<br>two</h2>', "one two"),
        (
            '<h2 id="x" aria-labelledby="y z">own</h2><b id="y" hidden><i>one</i></b><b id="z" aria-label="two">no</b>',
            "one two",
        ),
        ('<h2 id="x" aria-labelledby="none" aria-label=" label ">own</h2>', "label"),
        ('<h2 id="x" title="title"> </h2>', "title"),
        ('<h2 id="x" title="title">own <span hidden>not</span><i aria-hidden="true">not</i></h2>', "own"),
        ('<a id="x"><img alt="picture"><math alttext="formula"><mi>x</mi></math></a>', "pictureformula"),
        ('<a id="x"><math><mi>x</mi></math></a>', "x"),
        ('<input id="x" type="image" alt="find" value="no">', "find"),
        ('<input id="x" type="Image">', "Submit"),
        ('<input id="x" type="reset">', "Reset"),
        ('<input id="x" type="text" value="no">', ""),
        ('<input id="x" type="submit" value="go" alt="no">', "go"),
        ('<input id="x" type="submit">', "Submit"),
        ('<input id="x" type="button" value="go">', "go"),
        ('<input id="x" type="button">', ""),
        ('<area id="x" alt="part">', "part"),
        ('<a id="x"><b aria-label="label">no</b></a>', "label"),
        ('<a id="x"><b>one</b><p>two</p></a>', "one two"),
        ('<a id="x"><div>one</div><div>two</div></a>', "one two"),
        ('<a id="x"><b>one</b><b>two</b></a>', "onetwo"),
        ('<ul id="x"><li>one<li>two</ul>', "one two"),
        ('<table><tr id="x"><td>one<td>two</table>', "one two"),
        ('<table><tr id="x"><th>one<th>two</table>', "one two"),
        ('<dl id="x"><dt>one<dt>two</dl>', "one two"),
        ('<dl id="x"><dd>one<dd>two</dl>', "one two"),
    ],
)
def test_a_name_comes_from_reference_label_content_alternative_or_title(html: str, called: str) -> None:
    assert name(element(html)) == called


def test_a_label_does_not_take_the_value_of_its_control_for_text() -> None:
    assert spoken_text(element('<label id="x">Name <input value="Ada"></label>')) == "Name"


@pytest.mark.parametrize("tag", ["select", "textarea", "meter", "progress", "datalist"])
def test_a_label_does_not_take_what_is_inside_its_control_for_text(tag: str) -> None:
    assert spoken_text(element(f'<label id="x">Name <{tag}><option>no</option></{tag}></label>')) == "Name"


def test_a_name_is_found_at_any_depth() -> None:
    deep = "<b>" * 5000 + "<img alt='one'> two" + "</b>" * 5000
    assert name(element(f'<a id="x">{deep}</a>')) == "one two"


def test_a_landmark_is_not_named_by_what_it_holds() -> None:
    assert landmark_name(element('<nav id="x">text</nav>')) == ""
    assert landmark_name(element('<nav id="x" title="Site">text</nav>')) == "Site"


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("script-src 'unsafe-inline'", "allows what the policy is there to forbid"),
        ("script-src data:", "lets a page's text become code"),
        ("img-src https://a.example", "allows another host"),
        ("form-action https://a.example", "leads to another host"),
    ],
)
def test_a_weak_policy_is_told_why(source: str, says: str) -> None:
    kept = "; ".join(
        one for one in ("default-src 'none'", "base-uri 'none'", "form-action 'none'") if one[:5] != source[:5]
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{kept}; {source}">'
    (problem,) = check_pages([read_page(f"<!DOCTYPE html><html><head>{head}</head><body></body></html>", "a.html")])
    assert problem.message == f"{source.lower()}: {says}"


@pytest.mark.parametrize(
    ("html", "says"),
    [
        ("<h1>a</h1>\n<h1>b</h1>\n<h1>c</h1>", "another <h1>: the first stands on line 3"),
        (
            "<h1>a</h1><main>x</main>\n<main>y</main>\n<main>z</main>",
            "another main landmark: the first stands on line 3",
        ),
        (
            "<footer>x</footer>\n<footer>y</footer>\n<footer>z</footer>",
            "another contentinfo: the first stands on line 3",
        ),
        ("<h2>a</h2><h5>b</h5>", "<h5> comes after <h2>: level 3 is skipped"),
        ("<input>", '<input type="text"> has no label'),
        ("<select></select>", "<select> has no label"),
    ],
)
def test_a_finding_about_accessibility_says_where_to_look(html: str, says: str) -> None:
    page = read_page(
        f'<!DOCTYPE html>\n<html lang="en"><head><title>t</title></head><body>\n{html}</body></html>', "a.html"
    )
    told = [one.message for one in check_accessibility([page])]
    assert says in told and all("line" not in one or "line 3" in one for one in told)
