"""The tree that the tags say, piece by piece: what is text, what is void where, and which namespace a child is in."""

from __future__ import annotations

import pytest

from checks.html import Tree, written_tree

TEXT: Tree = ("#text", ())


def tree(name: str, *children: Tree) -> Tree:
    return (name, children)


def nest(*names: str) -> Tree:
    """Elements one inside the other, the first outermost."""
    first, *rest = names
    return tree(first, nest(*rest)) if rest else tree(first)


TREES = [
    ("<p>a</p>b", tree("#document", tree("p", TEXT), TEXT)),
    ("<p>a<!-- x -->b</p>", tree("#document", tree("p", TEXT))),
    ("<p>a<i></i>b</p>", tree("#document", tree("p", TEXT, tree("i"), TEXT))),
    ("<p> &#32;&Tab; </p>", tree("#document", tree("p"))),
    ("<p>&amp;</p>", tree("#document", tree("p", TEXT))),
    ("<p>&nbsp;</p>", tree("#document", tree("p", TEXT))),
    ("<p><</p>", tree("#document", tree("p", TEXT))),
    ("<p><!a bogus comment is no text></p>", tree("#document", tree("p"))),
    ("<p></3 a bogus comment is no text></p>", tree("#document", tree("p"))),
    ("<svg><![CDATA[ ]]></svg>", nest("#document", "svg")),
    ("<svg><![CDATA[<b>]]></svg>", tree("#document", tree("svg", TEXT))),
    ("<title><b></title>", tree("#document", tree("title", TEXT))),
    ("<svg><style><g></g></style></svg>", nest("#document", "svg", "style", "g")),
    ("<br><svg><path/></svg>", tree("#document", tree("br"), nest("svg", "path"))),
    ("<svg><desc><br></desc></svg>", nest("#document", "svg", "desc", "br")),
    ("<math><mi><br></mi></math>", nest("#document", "math", "mi", "br")),
    ("<math><mi><mglyph/></mi></math>", nest("#document", "math", "mi", "mglyph")),
    ("<math><mi><malignmark/></mi></math>", nest("#document", "math", "mi", "malignmark")),
    (
        "<math><annotation-xml encoding='text/html'><br></annotation-xml></math>",
        nest("#document", "math", "annotation-xml", "br"),
    ),
    (
        "<math><annotation-xml><svg><desc><br></desc></svg></annotation-xml></math>",
        nest("#document", "math", "annotation-xml", "svg", "desc", "br"),
    ),
]
NONE = {
    "an element left open": "<p>a",
    "a tag that the file breaks off": "a<b ",
    "an end tag of nothing": "</p>",
    "end tags crossed": "<b><i></b></i>",
    "a slash that closes no HTML element": "<div/></div>",
    "a slash in HTML on a name of MathML": "<p><mglyph/></p>",
    "plain text that nothing ends": "<plaintext></plaintext>",
    "br in SVG, where it is not void": "<svg><g><br></g></svg>",
    "br in MathML": "<math><mrow><br></mrow></math>",
    "br in an annotation that is not HTML": "<math><annotation-xml><br></annotation-xml></math>",
    "br where only an annotation may hold HTML": "<math><mrow encoding='text/html'><br></mrow></math>",
    "br in an annotation outside of MathML": "<svg><annotation-xml encoding='text/html'><br></annotation-xml></svg>",
    "SVG that MathML takes for its own": "<math><mrow><svg><desc><br></desc></svg></mrow></math>",
}


@pytest.mark.parametrize(("source", "expected"), TREES, ids=[source for source, _ in TREES])
def test_the_tree_is_what_the_tags_say(source: str, expected: Tree) -> None:
    assert written_tree(source) == expected


@pytest.mark.parametrize("why", NONE)
def test_tags_that_do_not_nest_have_no_tree(why: str) -> None:
    assert written_tree(NONE[why]) is None
