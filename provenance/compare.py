"""Two payloads side by side: where they differ by more than a capture allows itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provenance.canonical import escape

CANARY_TOLERANCE = 1e-3


def differences(old: Any, new: Any, rel: float = 0.0, abs_: float = 0.0, limit: int = 20) -> list[str]:
    """Places where two JSON values differ, as sentences that begin with a JSON pointer; empty when equal.

    Numbers may differ by ``abs_ + rel * |old|`` if at least one is a float; integers, strings and shapes may
    not. At most ``limit`` differences are listed.
    """
    found: list[str] = []
    _compare(old, new, "", rel, abs_, found, limit)
    return found[:limit]


def allowed(determinism: Mapping[str, Any]) -> tuple[float, float]:
    """The (relative, absolute) bounds that a block's ``determinism`` grants a re-run; (0, 0) for
    ``exact``."""
    if determinism.get("kind") == "exact":
        return 0.0, 0.0
    return float(determinism.get("rel", 0.0)), float(determinism.get("abs", 0.0))


def _compare(old: Any, new: Any, at: str, rel: float, abs_: float, found: list[str], limit: int) -> None:
    if len(found) >= limit:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            path = f"{at}/{escape(key)}"
            if key not in new or key not in old:
                found.append(f"{path}: only in the {'old' if key in old else 'new'} payload")
            else:
                _compare(old[key], new[key], path, rel, abs_, found, limit)
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            found.append(f"{at or '/'}: {len(old)} items, now {len(new)}")
            return
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            _compare(left, right, f"{at}/{index}", rel, abs_, found, limit)
    elif not _close(old, new, rel, abs_):
        found.append(f"{at or '/'}: {_short(old)}, now {_short(new)}")


def _close(old: Any, new: Any, rel: float, abs_: float) -> bool:
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (old, new))
    if not numbers:
        return type(old) is type(new) and bool(old == new)
    if isinstance(old, int) and isinstance(new, int):
        return bool(old == new)
    return bool(abs(old - new) <= abs_ + rel * abs(old))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
