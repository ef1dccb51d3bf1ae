"""A headless Chromium over pages from disk: a sample site, and the whole site as its content says today."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.browser.sample import SampleSite
from tests.browser.whole import Whole, whole_site

REPO = Path(__file__).resolve().parents[2]
PATIENCE = 120_000  # milliseconds: a shared machine may be slow, which is no fault of the page


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return SampleSite().write(tmp_path_factory.mktemp("sample"))


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Whole]:
    """The site as the content says today, rendered once for all workers, served by each."""
    with whole_site(tmp_path_factory) as made:
        yield made


@pytest.fixture
def visit(browser: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page in a context of its own; what it throws fails the test at the end."""
    contexts: list[Any] = []
    problems: list[str] = []

    def opener(script: str = "", **options: Any) -> Any:
        context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}} | options)
        context.set_default_timeout(PATIENCE)
        if script:
            context.add_init_script(script)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
        return page

    yield opener
    for context in contexts:
        context.close()
    assert not problems, problems


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
