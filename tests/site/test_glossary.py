"""The glossary: every word once, with an address of its own, a definition, and the page that explains it."""

from __future__ import annotations

import re

import pytest

from render.reading.load import load_library
from tests.site.conftest import REPOSITORY, Project

GLOSSARY = "content/glossary.yml"
TERMS = """# Words.
- term: Vector index
  also: [index]
  says: A structure that finds *near* vectors.
  see: indexes
- term: Filter
  says: A condition.
- term: Recall
  says: What is found of what should be.
  see: later
"""


def test_terms_stand_in_alphabetical_order_with_an_address_each(project: Project) -> None:
    project.write(GLOSSARY, TERMS)
    code, said = project.build()
    assert code == 0, said
    page = project.read("site/glossary/index.html")
    assert re.findall(r'id="(term-[a-z-]+)"', page) == ["term-filter", "term-recall", "term-vector-index"]
    assert "A structure that finds <em>near</em> vectors." in page
    assert 'See <a href="../concepts/indexes/index.html">Indexes</a>.' in page
    assert '<a href="#letter-v">V</a>' in page


def test_a_term_whose_page_is_not_written_yet_has_no_link(project: Project) -> None:
    project.write(GLOSSARY, TERMS)
    code, said = project.build()
    assert code == 0 and GLOSSARY not in said
    assert "should be.</dd>" in project.read("site/glossary/index.html")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("see: indexes", "see: indices", r"glossary.yml:2:1: error \[unknown-concept\].*\n.*did you mean `indexes`"),
        ("- term: Filter\n", "- term: Recall\n", r"glossary.yml:\d+:1: error \[glossary\] “Recall” stands on line"),
        ("  says: A condition.\n", "  means: A condition.\n", r"glossary.yml:6:1: error \[glossary\] .* is no entry"),
        ("says: A condition.", "says: It keeps 40 of them.", r"glossary.yml.*error \[unbound-number\] .*'40'"),
        ("- term: Filter\n", "- term: [Filter\n", r"glossary.yml:\d+:1: error \[yaml\]"),
    ],
)
def test_a_faulty_entry_fails_the_build(project: Project, old: str, new: str, message: str) -> None:
    project.write(GLOSSARY, TERMS.replace(old, new, 1))
    code, said = project.build()
    assert code == 1
    assert re.search(message, said), said


def test_a_word_of_the_text_links_to_its_entry_by_any_of_its_names(project: Project) -> None:
    project.write(GLOSSARY, TERMS)
    page = "content/concepts/retrieval/filters.md"
    project.append(page, "\nA {term}`filter` on {term}`such a structure <index>`.\n")
    code, said = project.build()
    assert code == 0, said
    html = project.read("site/concepts/filters/index.html")
    assert '<a class="term-ref" href="../../glossary/index.html#term-filter">filter</a>' in html
    assert 'index.html#term-vector-index">such a structure</a>' in html
    assert "[filter](../../glossary/index.html#term-filter)" in project.read("site/concepts/filters/index.md")
    project.append(page, "\n{term}`filtre`\n")
    assert "did you mean `filter`?" in project.build()[1]


def test_the_glossary_of_this_site_covers_every_written_concept() -> None:
    library = load_library(REPOSITORY, [])
    assert len(library.glossary) >= 40
    explained = {term.see for term in library.glossary.values()}
    assert set(library.pages) <= explained
