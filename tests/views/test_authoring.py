"""The author's reference says what the code takes."""

from __future__ import annotations

import importlib.util
from typing import Any

from render.text.directives import DIRECTIVES
from render.text.roles import ROLES
from tests.views.made import ROOT


def tool() -> Any:
    spec = importlib.util.spec_from_file_location("authoring", ROOT / "tools/authoring.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_reference_is_that_of_the_code() -> None:
    text = (ROOT / "docs/authoring.md").read_text(encoding="utf-8")
    assert tool().rewritten(text) == text, "python tools/authoring.py"


def test_every_role_and_directive_says_what_it_is_for() -> None:
    for name, draw in {**ROLES, **DIRECTIVES}.items():
        assert draw.__doc__, name
