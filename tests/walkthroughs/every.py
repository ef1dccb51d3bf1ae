"""Every walkthrough there is, with the dataset it draws: what tests over all of them are parametrised by."""

from __future__ import annotations

import pkgutil
from functools import cache

from render import walkthroughs
from render.views.walkthrough import every
from tests.walkthroughs.drawing import ROOT, library


@cache
def all_walkthroughs() -> dict[str, str]:
    """The address of each by its id: ``dataset#id``. A new file or module is in it without being named here."""
    written = {ident: f"{name}#{ident}" for name, ones in library().walkthroughs.items() for ident in ones}
    modules = sorted(entry.name for entry in pkgutil.iter_modules(walkthroughs.__path__) if entry.name[0] != "_")
    captured = [name for name in modules if (ROOT / "data" / "interactive" / f"{name}.json").is_file()]
    return written | {one.id: f"{name}#{one.id}" for name in captured for one in every(name)}
