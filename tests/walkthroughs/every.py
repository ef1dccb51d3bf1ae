"""Every walkthrough there is, with the dataset it draws: what tests over all of them are parametrised by."""

from __future__ import annotations

import pkgutil
from functools import cache

from render import walkthroughs
from render.views.walkthrough import Walkthrough, every
from tests.walkthroughs.drawing import ROOT


@cache
def all_walkthroughs() -> dict[str, Walkthrough]:
    """By id, those whose dataset is captured. A new module or kind is in it without being named here."""
    modules = sorted(entry.name for entry in pkgutil.iter_modules(walkthroughs.__path__) if entry.name[0] != "_")
    captured = [name for name in modules if (ROOT / "data" / "interactive" / f"{name}.json").is_file()]
    return {walkthrough.id: walkthrough for name in captured for walkthrough in every(name)}
