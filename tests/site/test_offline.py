"""The worker of a build: the same for the same files, another for other files, and it lists what the build wrote."""

from __future__ import annotations

import hashlib
import json
import re

from render.pages.offline import worker_script
from tests.site.conftest import REPOSITORY, Project

TEMPLATES = REPOSITORY / "templates"


def test_the_worker_is_the_same_for_the_same_files_and_another_for_a_changed_one() -> None:
    files: dict[str, str | bytes] = {"index.html": "one", "assets/site.css": b"two"}
    first = worker_script(files, TEMPLATES)
    assert worker_script(dict(reversed(files.items())), TEMPLATES) == first
    assert worker_script(files | {"index.html": "other"}, TEMPLATES).split("\n")[1] != first.split("\n")[1]


def test_the_worker_lists_every_file_of_the_build_with_its_digest_and_keeps_what_pages_are_made_with(
    project: Project,
) -> None:
    assert project.build("--base-url", "https://example.org/z/")[0] == 0
    site = project.root / "site"
    found = re.search(r"^const BUILD = (.*);$", (site / "worker.js").read_text(encoding="utf-8"), re.M)
    assert found
    build = json.loads(found[1])
    written = {file.relative_to(site).as_posix(): file for file in site.rglob("*") if file.is_file()}
    del written["worker.js"], written[".gitignore"]
    digests = {path: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for path, file in written.items()}
    assert build["files"] == digests
    loaded = set(
        re.findall(r'(?:src|href)="(?:\.\./)*(assets/[^"]+)"', project.read("site/concepts/filters/index.html"))
    )
    assert loaded | {"assets/search-index.js", "404.html", "offline/index.html"} <= set(build["shell"])


def test_every_page_offers_the_worker_and_the_policy_allows_one_from_the_site_only(project: Project) -> None:
    assert project.build()[0] == 0
    for file in (project.root / "site").rglob("index.html"):
        text = file.read_text(encoding="utf-8")
        if 'http-equiv="refresh"' not in text:
            assert "worker-src 'self'" in text and "assets/offline.js" in text, file
