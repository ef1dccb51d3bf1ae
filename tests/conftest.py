"""What several areas share: one headless Chromium a test process (Playwright allows no second one)."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if importlib.util.find_spec("playwright") is None:
        pytest.skip("playwright is not installed")
    binary = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not binary:
        pytest.skip("no Chromium: set CHROMIUM to its path")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=binary, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of one file share a worker, unless one names a group of its own; such long ones begin first.

    A test of the whole site needs nothing that others of its file have made, and goes to whichever worker is free.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None and "whole" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group(item.nodeid))
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.location[0]))
