"""Building the sample project end to end: what is written, what forbids it, and that it is the same every time."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.site.conftest import Project

PAGE = "content/concepts/retrieval/indexes.md"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        file.relative_to(folder).as_posix(): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()
    }


def test_a_build_writes_concept_data_list_and_home_pages(project: Project) -> None:
    code, said = project.build()
    assert code == 0, said
    written = set(tree(project.root / "site"))
    assert {
        "index.html",
        "404.html",
        "concepts/index.html",
        "concepts/indexes/index.html",
        "data/index.html",
        "data/sample/index.html",
        "data/sample/sample.json",
        "data/sample/figures.csv",
        "assets/site.css",
        ".gitignore",
    } <= written
    assert "sitemap.xml" not in written


def test_two_builds_of_one_tree_are_identical_whatever_the_number_of_jobs(project: Project) -> None:
    assert project.build("--out", str(project.root / "one"))[0] == 0
    assert project.build("--out", str(project.root / "two"), "--jobs", "2")[0] == 0
    assert tree(project.root / "one") == tree(project.root / "two")


def test_a_failed_build_leaves_the_last_good_site_untouched(project: Project) -> None:
    assert project.build()[0] == 0
    before = tree(project.root / "site")
    project.append(PAGE, "\n{fig}`sample.nothing`\n")
    code, said = project.build()
    assert code == 1
    assert "unchanged" in said
    assert tree(project.root / "site") == before
    assert [entry.name for entry in project.root.iterdir() if entry.name.startswith(".site")] == []


def test_all_problems_of_a_run_are_listed_with_file_line_and_nearest_name(project: Project) -> None:
    project.append(
        PAGE,
        "\nOne {fig}`sample.recal_one`, two {metric}`recal-at-k`, three {cite}`cormack2008`,\n"
        "four {concept}`filtres`, five {param}`sample.index.em`, six {dataset}`x`.\n"
        "\n```{walkthrough} sampel\n```\n\n```{tabel} sample:/result/rows\n```\n",
    )
    line = (
        project.read(PAGE)
        .split("\n")
        .index("One {fig}`sample.recal_one`, two {metric}`recal-at-k`, three {cite}`cormack2008`,")
        + 1
    )
    code, said = project.build()
    assert code == 1
    for rule, offset, near in [
        ("unknown-figure", 0, "sample.recall_one"),
        ("unknown-metric", 0, "recall-at-k"),
        ("unknown-reference", 0, "cormack2009"),
        ("unknown-concept", 1, "filters"),
        ("unknown-parameter", 1, "sample.index.m"),
        ("unknown-role", 1, ""),
        ("unknown-dataset", 3, "sample"),
        ("unknown-directive", 6, "table"),
    ]:
        found = re.search(rf"{PAGE}:{line + offset}:\d+: error \[{rule}\].*\n\s+fix: (.*)", said)
        assert found, f"{rule} on line {line + offset} in\n{said}"
        assert near in found[1]


def test_a_claim_that_no_longer_holds_names_sentence_predicate_and_values(project: Project) -> None:
    project.replace(
        PAGE, "most is lost | sample.recall_one < sample.recall_all / 2", "all is lost | sample.recall_one > 0.5"
    )
    code, said = project.build()
    assert code == 1
    assert "“all is lost” no longer holds: `sample.recall_one > 0.5` with sample.recall_one = 0.4125" in said


def test_a_claim_of_the_front_matter_is_held_too(project: Project) -> None:
    project.replace(PAGE, "sample.recall_one < 0.5 *", "sample.recall_one < 0.1 *")
    code, said = project.build()
    assert code == 1
    assert "“A filtered search loses more than half of the recall.” no longer holds" in said


def test_a_typed_number_in_prose_is_an_error_on_its_line(project: Project) -> None:
    project.append(PAGE, "\nThe index loses 41 of the results.\n")
    code, said = project.build()
    assert code == 1
    assert re.search(rf"{PAGE}:\d+:17: error \[unbound-number\] the number '41'", said), said


def test_front_matter_faults_are_named_with_what_was_expected(project: Project) -> None:
    project.replace(PAGE, "updated: 2025-05-03", "updated: soon\nauthor: nobody")
    project.replace(PAGE, "summary: How an index finds neighbours.\n", "")
    _, said = project.build()
    assert "the field `updated` is 'soon': expected a date such as 2025-01-31" in said
    assert "the field `author` is unknown" in said
    assert "the field `summary` is missing: expected one line of text" in said


def test_front_matter_that_is_no_yaml_is_named_with_its_line(project: Project) -> None:
    project.replace(PAGE, "updated: 2025-05-03", "  - updated: 2025-05-03")
    code, said = project.build()
    assert code == 1
    assert re.search(rf"{PAGE}:\d+:\d+: error \[front-matter\]", said), said
    assert "Traceback" not in said


def test_prerequisites_in_a_circle_are_an_error(project: Project) -> None:
    project.replace("content/concepts/retrieval/filters.md", "related: [indexes]", "prerequisites: [indexes]")
    _, said = project.build()
    assert "[circular-prerequisites]" in said


def test_a_link_to_a_planned_concept_warns_and_fails_a_strict_build(project: Project) -> None:
    project.append(PAGE, "\nSee {concept}`later`.\n")
    code, said = project.build()
    assert code == 0
    assert "warning [planned-concept] `later` is not written yet" in said
    page = project.read("site/concepts/indexes/index.html")
    assert '<span class="xref xref--planned">later</span>' in page
    assert project.build("--strict")[0] == 1


def test_an_equivalent_dataset_is_told_and_fails_no_build_not_even_a_strict_one() -> None:
    from build import report
    from checks.problems import Problem

    told = Problem("data/interactive/d.json", 1, 1, "equivalent", "code changed; equal on the canary", level="warning")
    other = Problem("content/a.md", 1, 1, "planned-concept", "not written yet", level="warning")
    assert report([told], strict=True) == 0 and report([told, other], strict=True) == 1
    assert report([told, other], strict=False) == 0


def test_a_dataset_no_page_uses_fails_the_build_once_every_page_is_written(project: Project) -> None:
    project.replace("content/site.yml", ", later]", "]")
    project.replace("content/site.yml", "  figures: [sample.recall_one, sample.recall_all]\n", "")
    project.replace("content/site.yml", "{fig}`sample.recall_one`", "some")
    project.replace("content/metrics/recall-at-k.md", "{fig}`sample.recall_all`", "most")
    project.replace("content/concepts/retrieval/filters.md", "{fig}`sample.recall_one`", "some")
    head = project.read(PAGE).split("## What it is")[0]
    head = re.sub(r"datasets:.*\n|claims:\n.*\n.*\n", "", head)
    project.write(PAGE, head + "## What it is\n\nNothing measured.\n")
    code, said = project.build()
    assert code == 1
    assert "error [orphan-dataset] no page uses the dataset `sample`" in said


def test_a_dataset_edited_by_hand_fails_the_build(project: Project) -> None:
    data = json.loads(project.read("data/interactive/sample.json"))
    data["figures"]["recall_one"]["value"] = 0.9
    project.write("data/interactive/sample.json", json.dumps(data))
    code, said = project.build()
    assert code == 1
    assert "edited by hand" in said


def test_a_broken_dataset_is_reported_once_and_not_at_every_reference(project: Project) -> None:
    project.write("data/interactive/sample.json", "{")
    code, said = project.build()
    assert code == 1
    assert "[json]" in said
    assert "unknown-figure" not in said and "unknown-dataset" not in said


def test_with_a_base_url_there_is_a_sitemap_and_the_404_page_links_from_the_host(project: Project) -> None:
    code, said = project.build("--base-url", "https://example.org/z")
    assert code == 0, said
    sitemap = project.read("site/sitemap.xml")
    assert "<loc>https://example.org/z/concepts/indexes/</loc><lastmod>2025-05-03</lastmod>" in sitemap
    assert 'href="/z/index.html"' in project.read("site/404.html")
    assert 'href="../../index.html"' in project.read("site/concepts/indexes/index.html")


def test_a_folder_that_is_no_site_is_never_replaced(project: Project) -> None:
    project.write("mine/letter.txt", "keep me")
    with pytest.raises(SystemExit):
        project.build("--out", str(project.root / "mine"))
    assert project.read("mine/letter.txt") == "keep me"


@pytest.mark.parametrize("extra", ["thesis.txt", ".git"])
def test_a_folder_that_is_not_a_built_site_is_never_replaced(project: Project, extra: str) -> None:
    other = project.root / "other"
    names = ["index.html", "404.html", "assets"] + (["llms.txt", "concepts", "data"] if extra == ".git" else [])
    for name in [*names, extra]:
        (other / name).mkdir(parents=True)
    with pytest.raises(SystemExit):
        project.build("--out", str(other))
    assert (other / extra).is_dir()


def test_a_place_that_cannot_be_written_is_named(project: Project) -> None:
    (project.root / "file").write_text("x", "utf-8")
    code, said = project.build("--out", str(project.root / "file/site"))
    assert code == 1
    assert "file/site is unchanged, it cannot be written: " in said


@pytest.mark.parametrize("harm", ["{% if %}", "{{ nothing.of.that }}"])
def test_a_template_that_cannot_be_used_is_named_with_its_line(project: Project, harm: str) -> None:
    template = project.root / "templates/concept.html.j2"
    lines = template.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if "<h1" in line)
    lines.insert(at, harm)
    template.write_text("\n".join(lines), "utf-8")
    code, said = project.build()
    assert code == 1
    assert f"templates/concept.html.j2:{at + 1}:1: error [template] " in said
    assert "Traceback" not in said


def test_a_page_that_is_not_utf8_is_named_with_its_line(project: Project) -> None:
    page = next(iter(sorted((project.root / "content/concepts").glob("*/*.md"))))
    page.write_bytes(page.read_bytes() + b"\nbroken \xff byte\n")
    code, said = project.build()
    assert code == 1
    assert "is not UTF-8" in said and page.name in said
    assert "Traceback" not in said


def test_a_folder_with_the_name_of_a_page_is_one_line(project: Project) -> None:
    folder = next(iter(sorted((project.root / "content/concepts").iterdir()))) / "strange.md"
    folder.mkdir()
    code, said = project.build()
    assert code == 1
    assert "strange.md" in said and "Traceback" not in said


def test_a_site_file_that_is_a_list_is_told_what_was_expected(project: Project) -> None:
    (project.root / "content/site.yml").write_text("- one\n- two\n", "utf-8")
    code, said = project.build()
    assert code == 1
    assert "content/site.yml:1:1: error [yaml] expected keys with values, found a list" in said
    assert "Traceback" not in said
