"""Values worked out of a dataset that its capture does not publish yet: ``<dataset>.py`` with ``derived(data)``.

They are numbers and records, never text, and appear below ``/derived``. When the dataset is captured again the capture
should publish them, and the module goes.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from typing import Any

from render.reading.source import Dataset

_KNOWN: dict[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {}


def with_derived(dataset: Dataset) -> Mapping[str, Any]:
    """The whole of a dataset, with what its module derives, worked out once for each loaded dataset."""
    name = f"{__name__}.{dataset.name}"
    if not _exists(name):
        return dataset.data
    known = _KNOWN.get(dataset.name)
    if known is None or known[0] is not dataset.data:
        derived = importlib.import_module(name).derived(dataset.data)
        known = _KNOWN[dataset.name] = (dataset.data, {**dataset.data, "derived": derived})
    return known[1]


@cache
def _exists(name: str) -> bool:
    return importlib.util.find_spec(name) is not None
