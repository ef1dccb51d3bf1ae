"""How a number reads, in prose, tables and data pages alike: decimals, thousands, minus sign, units."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

THIN = "\u202f"
MINUS = "\u2212"
GROUP_FROM = 10_000
# Units that are written after the number in running text; any other unit (chunks, queries, a plain share)
# belongs to the sentence and shows in the number's details.
SYMBOLS = {
    "%": "%",
    "percent": "%",
    "ms": "ms",
    "milliseconds": "ms",
    "s": "s",
    "seconds": "s",
    "us": "µs",
    "µs": "µs",
    "min": "min",
    "bytes": "bytes",
    "B": "B",
    "kB": "kB",
    "KB": "KB",
    "MB": "MB",
    "GB": "GB",
    "KiB": "KiB",
    "MiB": "MiB",
    "GiB": "GiB",
    "USD": "USD",
}


def mean_text(value: float) -> str:
    """A mean of counts as it prints: one decimal, or none where it is whole."""
    return number_text(value, 0 if float(value).is_integer() else 1)


def number_text(value: Any, digits: int | None = None) -> str:
    """The value as it prints: ``digits`` decimals, narrow spaces in thousands from 10 000 up, a true minus.

    Without ``digits`` a whole number prints whole and any other with three significant digits at least. Rounded is what
    the dataset says in decimals, a tie to the even digit: 0.7675 prints 0.768, though the float nearest to it is less.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if digits is None:
        digits = 0 if isinstance(value, int) or value.is_integer() else _decimals(value)
    grouped = f"{Decimal(repr(abs(value))):,.{digits}f}"
    rounded = float(grouped.replace(",", ""))
    text = grouped.replace(",", THIN if rounded >= GROUP_FROM else "")
    return (MINUS if value < 0 and rounded else "") + text


def _decimals(value: float) -> int:
    """Decimals that leave three significant digits, between two and six."""
    magnitude = math.floor(math.log10(abs(value)))
    return max(2, min(6, 2 - magnitude)) if magnitude < 0 else 2


def unit_text(unit: str) -> str:
    """The unit with its leading space as running text shows it; empty where the sentence names the unit."""
    symbol = SYMBOLS.get(unit, "")
    return f"{THIN}{symbol}" if symbol else ""


def percent_text(value: float, digits: int | None) -> str:
    """A share as percent, with two decimals fewer than the share itself."""
    return number_text(float(Decimal(repr(value)) * 100), max(0, (2 if digits is None else digits) - 2))


def size_text(count: int) -> str:
    """A file size: bytes below 1,000, otherwise kB or MB (powers of ten) with one decimal."""
    if count < 1000:
        return f"{count}{THIN}bytes"
    unit, divisor = ("kB", 1e3) if count < 1e6 else ("MB", 1e6)
    return f"{number_text(count / divisor, 1)}{THIN}{unit}"
