"""The capture of the site's weight over the small site it carries: one of everything, opened in Chromium."""

from __future__ import annotations

import importlib.util
import os
import shutil
from typing import Any

import pytest

from harness.capture.api import Run
from harness.experiments.site_budget.capture import CAPTURE

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def result() -> dict[str, Any]:
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    if not shutil.which(os.environ.get("CHROMIUM", "/usr/bin/chromium")):
        pytest.skip("no Chromium: set CHROMIUM to its path")
    from concurrent.futures import ThreadPoolExecutor

    # In a thread of its own, because another test may hold a browser in this one.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: CAPTURE.capture(Run(dict(CAPTURE.params), canary=True)).result).result()


def test_every_page_is_weighed_with_the_files_it_asks_for(result: dict[str, Any]) -> None:
    rows = {row["path"]: row for row in result["pages"]}
    concept = rows["concepts/one/index.html"]
    assert concept["kind"] == "concept" and concept["requests"] == 3 and concept["requests_plain"] == 2
    parts = ("text_kb", "walkthrough_kb", "style_kb", "script_kb")
    assert concept["transfer_kb"] == pytest.approx(sum(concept[part] for part in parts))
    assert concept["walkthrough_kb"] > 0 and rows["index.html"]["walkthrough_kb"] == 0
    assert {row["file"] for row in result["shared"]} == {"assets/site.css", "assets/extra.js"}
    assert result["summary"]["foreign"] == 0


def test_without_script_every_promise_is_kept_and_each_was_asked_of_some_page(result: dict[str, Any]) -> None:
    assert all(row["pages"] == row["kept"] > 0 for row in result["plain"]), result["plain"]
    assert result["summary"]["states"] == 2
