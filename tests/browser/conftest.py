"""A headless Chromium over pages from disk: the sample site always, the built site where ``build.py`` can make it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.sample import SampleSite

REPO = Path(__file__).resolve().parents[2]
PATIENCE = 120_000  # milliseconds: a shared machine may be slow, which is no fault of the page


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SampleSite().write(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ``build.py`` makes it today, in a folder of its own."""
    out = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "build.py", "--out", str(out)]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=600)
    if done.returncode:
        pytest.fail(f"build.py failed:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return out


@pytest.fixture
def open_page(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens a file (with a fragment) in a context of its own; errors of the page fail the test at the end."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opener(path: Path, fragment: str = "", *, width: int = 1280, script: bool = True, scheme: str = "light") -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": 900}, java_script_enabled=script, color_scheme=scheme
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
        page.goto(path.as_uri() + (f"#{fragment}" if fragment else ""))
        return page

    yield opener
    for context in contexts:
        context.close()
    assert not problems, problems
