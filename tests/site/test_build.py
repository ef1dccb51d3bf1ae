"""Building the sample project end to end."""

from __future__ import annotations

from tests.site.conftest import Project


def test_a_build_writes_concept_data_list_and_home_pages(project: Project) -> None:
    code, said = project.build("--out", str(project.root / "site"))
    assert code == 0, said
    for path in (
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
    ):
        assert (project.root / "site" / path).is_file(), path
