"""What a reader takes along: Markdown twins, llms.txt, the feed, structured data and the social card."""

from __future__ import annotations

import json
import posixpath
import re
import struct
import xml.etree.ElementTree as ET
import zlib
from typing import Any

import pytest

from render.reading.changelog import read_changes
from render.takeaway.html_markdown import to_markdown
from render.reading.load import load_library
from render.site import render_site
from tests.site.conftest import REPOSITORY, Project
from tools import social_card

BASE = "https://example.org/z"
ATOM = "{http://www.w3.org/2005/Atom}"
TWIN = "site/concepts/indexes/index.md"
CHANGELOG = """# Changelog

## Unreleased

### Added
- Something without a date.

## 0.2.0 - 2025-06-01

### Added
- A page on `filters`,
  in two lines.

### Corrections
- 2025-06-03: recall was too high.
"""


@pytest.fixture
def built(project: Project) -> Project:
    code, said = project.build()
    assert code == 0, said
    return project


def test_the_twin_of_a_page_has_front_matter_title_and_summary(built: Project) -> None:
    twin = built.read(TWIN)
    assert twin.startswith('---\ntitle: "Indexes"\nsummary: "How an index finds neighbours."\n')
    assert "\nupdated: 2025-05-03\n" in twin
    assert "\n# Indexes\n\nHow an index finds neighbours.\n" in twin


def test_the_page_links_its_twin_in_the_head_and_in_words(built: Project) -> None:
    page = built.read("site/concepts/indexes/index.html")
    assert re.search(r'<link rel="alternate" type="text/markdown"[^>]* href="../../concepts/indexes/index.md">', page)
    assert ">This page as Markdown</a>" in page


def test_a_figure_in_the_twin_is_its_value_and_names_its_dataset(built: Project) -> None:
    twin = built.read(TWIN)
    assert '[25\u202f646](../../data/sample/index.html#fig-chunks "sample.chunks")' in twin
    assert "| `sample.chunks` | 25\u202f646 | chunks |" in twin
    assert "Made by `python -m harness regenerate sample`." in twin


def test_every_number_of_the_article_stands_in_the_twin(built: Project) -> None:
    page = built.read("site/concepts/indexes/index.html")
    article = page[page.index("<article") : page.index("</article>")]
    numbers = re.findall(r"<data value=[^>]*>([^<]+)</data>", article)
    twin = built.read(TWIN)
    assert numbers and all(number in twin for number in numbers)


def test_formulas_of_the_twin_are_tex(built: Project) -> None:
    assert r"$$\mathrm{RRF}(d) = \sum_{i} \frac{1}{k + r_i(d)}$$" in built.read(TWIN)


def test_links_of_the_twin_lead_to_twins_and_stay_relative(built: Project) -> None:
    twin = built.read(TWIN)
    assert "[a filter](../filters/index.md)" in twin
    folder = built.root / "site/concepts/indexes"
    for target in re.findall(r"\]\(((?!https?:)[^)# ]+)", twin):
        assert (folder / target).is_file(), target


def test_tables_questions_and_code_of_the_twin_are_markdown(built: Project) -> None:
    twin = built.read(TWIN)
    assert "| role | recall@10 |\n| --- | ---: |\n| one tenant | 0.412 |" in twin
    assert "**Question.** Why is the *filtered* recall lower?" in twin
    assert "- The index is broken: **Not quite.** The control has full recall" in twin
    assert "```sql\nSELECT 42;\n```" in twin


def test_a_walkthrough_becomes_its_steps_in_order() -> None:
    html = (
        '<figure class="wt"><header><p class="wt-kicker">Walkthrough</p><h3>Why?</h3></header>'
        '<ol class="wt-index"><li><a href="#a">A</a></li></ol><ol class="wt-steps">'
        '<li class="wt-step"><h4>First</h4><p>One.</p><div><table><tbody><tr><th>x</th><td>1</td></tr></tbody></table>'
        '</div></li><li class="wt-step"><h4>Second</h4><p>Two.</p></li></ol></figure>'
    )
    markdown = to_markdown(html, lambda href: href)
    assert markdown == (
        "### Why?\n\n#### Step 1: First\n\nOne.\n\n|  |  |\n| --- | --- |\n| x | 1 |\n\n#### Step 2: Second\n\nTwo."
    )


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a * b_c _d [x] `y`</p>", r"a \* b_c \_d \[x\] \`y\`"),
        ("<p>1. not a list</p>", r"1\. not a list"),
        ("<p>(1 - 1/20)<sup>5</sup></p>", r"(1 - 1/20)^5"),
        ("<p>costs $5 &lt; $6</p>", r"costs \$5 \< \$6"),
        ("<pre><code>a ``` b\n</code></pre>", "````\na ``` b\n````"),
        ("<table><thead><tr><th>a|b</th></tr></thead><tbody></tbody></table>", "| a\\|b |\n| --- |"),
        ('<ol><li value="4">four<ul><li>in it</li></ul></li></ol>', "4. four\n\n   - in it"),
    ],
)
def test_signs_of_markdown_in_text_mean_themselves(html: str, markdown: str) -> None:
    assert to_markdown(html, lambda href: href) == markdown


def test_llms_txt_lists_each_page_with_its_summary_and_each_dataset(built: Project) -> None:
    text = built.read("site/llms.txt")
    assert text.startswith("# Sample\n\n> A small site.")
    assert "- [Indexes](concepts/indexes/index.md): How an index finds neighbours." in text
    assert "- [Recall behind a filter](data/sample/sample.json):" in text
    for target in re.findall(r"\]\(([^)]+)\)", text):
        assert (built.root / "site" / target).is_file(), target


def test_with_a_base_url_llms_txt_has_absolute_addresses(project: Project) -> None:
    assert project.build("--base-url", BASE)[0] == 0
    text = project.read("site/llms.txt")
    assert f"({BASE}/concepts/indexes/index.md)" in text
    assert "](concepts/" not in text


def test_without_a_base_url_there_is_no_feed_and_the_build_says_so(project: Project) -> None:
    code, said = project.build()
    assert code == 0
    assert not (project.root / "site/feed.xml").exists()
    assert "left out without --base-url: sitemap.xml, feed.xml" in said


def feed(project: Project) -> ET.Element:
    project.write("CHANGELOG.md", CHANGELOG)
    code, said = project.build("--base-url", BASE)
    assert code == 0, said
    return ET.fromstring(project.read("site/feed.xml"))


def test_the_feed_is_atom_with_absolute_addresses_and_dates_of_the_content(project: Project) -> None:
    root = feed(project)
    assert root.tag == ATOM + "feed"
    assert root.findtext(ATOM + "updated") == "2025-06-03T00:00:00Z"
    assert root.find(ATOM + "author/" + ATOM + "name") is not None
    entries = root.findall(ATOM + "entry")
    ids = [entry.findtext(ATOM + "id") for entry in entries]
    assert len(set(ids)) == len(ids) and all(ident and ident.startswith(BASE + "/") for ident in ids)
    for entry in entries:
        assert entry.findtext(ATOM + "title") and entry.findtext(ATOM + "summary")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", entry.findtext(ATOM + "updated") or "")
    dates = [entry.findtext(ATOM + "updated") or "" for entry in entries]
    assert dates == sorted(dates, reverse=True)


def test_the_feed_tells_of_corrections_and_never_of_what_has_no_date(project: Project) -> None:
    text = [entry.findtext(ATOM + "summary") for entry in feed(project).findall(ATOM + "entry")]
    assert "recall was too high." in text
    assert "A page on `filters`, in two lines." in text
    assert not any("without a date" in str(line) for line in text)


def test_corrections_stand_first_on_the_page_of_changes(project: Project) -> None:
    feed(project)
    page = project.read("site/changes/index.html")
    assert page.index("recall was too high") < page.index("A page on <code>filters</code>")
    entry = ET.fromstring(project.read("site/feed.xml")).find(f"{ATOM}entry/{ATOM}link")
    assert entry is not None and f'id="{entry.attrib["href"].split("#")[1]}"' in page


def test_a_changelog_line_bears_its_own_date_or_that_of_its_release() -> None:
    found = [(change.release, change.date, change.is_correction) for change in read_changes(CHANGELOG)]
    assert found == [("Unreleased", "", False), ("0.2.0", "2025-06-01", False), ("0.2.0", "2025-06-03", True)]


def record(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_a_concept_page_says_what_it_teaches_and_what_it_asks_for(built: Project) -> None:
    data = record(built.read("site/concepts/indexes/index.html"))
    assert data["@type"] == "LearningResource"
    assert data["teaches"] == {"@type": "DefinedTerm", "name": "Indexes", "alternateName": ["vector index"]}
    assert data["competencyRequired"] == [{"@type": "DefinedTerm", "name": "Filters"}]
    assert data["dateModified"] == "2025-05-03"
    assert data["license"].startswith("https://")


def test_with_a_base_url_a_page_carries_its_address_and_the_card(project: Project) -> None:
    assert project.build("--base-url", BASE)[0] == 0
    page = project.read("site/concepts/indexes/index.html")
    assert record(page)["url"] == f"{BASE}/concepts/indexes/"
    assert f'<meta property="og:image" content="{BASE}/assets/card.png">' in page
    assert f'<meta property="og:url" content="{BASE}/concepts/indexes/">' in page
    assert '<meta name="twitter:card" content="summary_large_image">' in page


def test_the_social_card_is_the_drawing_of_its_script() -> None:
    data = (REPOSITORY / "templates/assets/card.png").read_bytes()
    assert struct.unpack(">II", data[16:24]) == (1200, 630)
    assert len(data) < 10_000
    length = struct.unpack(">I", data[data.index(b"IDAT") - 4 : data.index(b"IDAT")])[0]
    start = data.index(b"IDAT") + 4
    pixels = zlib.decompress(data[start : start + length])
    assert pixels == b"".join(b"\0" + bytes(row) for row in social_card.draw())


def test_twins_of_this_site_carry_every_number_and_every_link_of_them_leads_somewhere() -> None:
    files = render_site(load_library(REPOSITORY, []), REPOSITORY / "templates").files
    twins = [path for path in files if path.endswith("/index.md")]
    assert twins
    for path in twins:
        twin, page = str(files[path]), str(files[path.replace(".md", ".html")])
        article = page[page.index("<article") : page.index("</article>")]
        missing = [number for number in re.findall(r"<data value=[^>]*>([^<]+)</data>", article) if number not in twin]
        assert not missing, (path, missing)
        for target in re.findall(r"\]\(((?!https?:)[^)# ]+)", twin):
            assert posixpath.normpath(posixpath.join(posixpath.dirname(path), target)) in files, (path, target)
