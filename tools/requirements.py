"""Print the requirements of the extras of pyproject.toml that are named as arguments, one a line."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]
extras = project["optional-dependencies"]
unknown = [name for name in sys.argv[1:] if name not in extras]
if unknown:
    sys.exit(f"pyproject.toml has no extra {unknown[0]!r}; known: {', '.join(extras)}")
for requirement in [one for name in sys.argv[1:] for one in extras[name]]:
    print(requirement.replace(" ", ""))
