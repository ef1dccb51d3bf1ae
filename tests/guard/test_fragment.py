"""Whether a text is taken for a page or for a piece of one: document tags count, what only looks like one does not."""

from __future__ import annotations

import pytest

from checks.html.fragment import is_fragment

CDATA = "<![CDATA[>]]<html>"  # outside of drawings and formulas a comment that ends with the first ">"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "<p>x</p>",
        "<header></header><html-x></html-x>",
        "</html></body>",
        "<!-- <html> -->",
        '<p title="<html>">',
        "<p title='<body>'>",
        '<p "<html>">',
        "<script><html></script>",
        '<script "x><html></script>',
        "<title/><html></title>",
        "<textarea><body></textarea>",
        "<svg><title><html></title></svg>",
        "<svg><title><body></title></svg>",
        "<svg><html></html></svg>",
        "<svg><frameset></svg>",
        f"<svg>{CDATA}]]></svg>",
        f"<math>{CDATA}]]></math>",
        f"<svg><svg></svg>{CDATA}]]></svg>",
        f"<svg><math/>{CDATA}]]></svg>",
        f"</svg><svg>{CDATA}]]></svg>",
        "<![CDATA[<html>]]>",
        "<!-- <html>",
    ],
)
def test_a_text_without_document_tags_is_a_piece(text: str) -> None:
    assert is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "<html>",
        "x<HEAD>",
        "<body\tclass=a>",
        "<!DOCTYPE html>",
        "<frameset>",
        "<!-- x --><html>",
        "a < b <html>",
        "<script></script><html>",
        "<script><!-- </script><html>",
        "</script><html>",
        "</title><body>",
        "<svg><title/></svg><html>",
        "<svg><body>",
        "<math><HEAD>",
        CDATA,
        f"<svg></svg>{CDATA}",
        f"<svg/>{CDATA}",
        f"<math/>{CDATA}",
        f"<svg><g></g></svg></svg>{CDATA}",
    ],
)
def test_a_document_tag_makes_a_page(text: str) -> None:
    assert not is_fragment(text)
