"""What a kind of walkthrough is: its name, what its states are called, and the control that moves between them.

A kind is a module of this package with one ``KIND`` and pure functions from captured values to markup or steps.
The control decides what the script adds to the states that the server printed; a kind needs no script of its own.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from typing import Literal

#: ``scrubber``: one slider over all states, with Back and Next. ``dials``: a slider a dial, its states a grid.
#: ``cells``: the grid itself is the control, one cell in focus at a time.
Control = Literal["scrubber", "dials", "cells"]


@dataclass(frozen=True)
class Kind:
    """A kind of walkthrough.

    ``id`` is its module's name with hyphens and its CSS class (``wt--rank-flow``); ``name`` is printed above the title;
    ``state`` names one state ("step", "setting"); ``shows`` says in a sentence what the kind is for; ``states`` is the
    fewest and the most states a walkthrough of the kind may have.
    """

    id: str
    name: str
    shows: str
    control: Control = "scrubber"
    state: str = "step"
    states: tuple[int, int] = (4, 9)

    @property
    def index(self) -> str:
        """How the links to the states are laid out: ``list``, or ``grid`` where the states are cells of one."""
        return "list" if self.control == "scrubber" else "grid"


def kinds(package: str = "render.views.kinds") -> dict[str, Kind]:
    """Every declared kind by id; a module of the package without a ``KIND`` is a helper and is left out."""
    folder = importlib.import_module(package)
    modules = (importlib.import_module(f"{package}.{entry.name}") for entry in pkgutil.iter_modules(folder.__path__))
    found = [module.KIND for module in modules if hasattr(module, "KIND")]
    return {kind.id: kind for kind in sorted(found, key=lambda kind: kind.id)}
