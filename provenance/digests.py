"""The two digests of a dataset: ``digest`` (is it the same result?) and ``integrity`` (was it edited by
hand?)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provenance.canonical import sha256_json, without
from provenance.figures import figures_of

PAYLOAD = ("result", "figures", "timings")
# What may change after the capture without touching what the dataset states.
UNSEALED = ("integrity", "verified", "stale_ok")


def comparable(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """The part of the payload that two runs must agree on: without volatile figures and without volatile
    paths.

    Values stand as written, that is rounded at capture; a re-run under ``tolerance`` or ``distribution`` is
    compared value by value (:mod:`provenance.compare`), not by this digest alone. Figures that tables declare count as
    if they stood whole: a name, label or value that changes is a change, the form in which it is written is not.
    """
    payload = {key: dataset.get(key, {}) for key in PAYLOAD}
    payload["figures"] = {
        name: dict(figure) if isinstance(figure, Mapping) else figure
        for name, figure in figures_of(dataset).items()
        if not (isinstance(figure, Mapping) and figure.get("volatile"))
    }
    kept: dict[str, Any] = without(payload, dataset.get("volatile", ()))
    return kept


def payload_digest(dataset: Mapping[str, Any]) -> str:
    """``digest``: SHA-256 of the canonical comparable payload. Raises NotCanonical naming the offending
    path."""
    return sha256_json(comparable(dataset))


def integrity(dataset: Mapping[str, Any]) -> str:
    """``integrity``: SHA-256 over every top-level key but ``integrity``, ``verified`` and ``stale_ok``."""
    return sha256_json({key: value for key, value in dataset.items() if key not in UNSEALED})


def sealed(dataset: Mapping[str, Any]) -> dict[str, Any]:
    """A copy with ``digest`` and ``integrity`` computed: the last step of writing a dataset."""
    copy = dict(dataset)
    copy["digest"] = payload_digest(copy)
    copy["integrity"] = integrity(copy)
    return copy
