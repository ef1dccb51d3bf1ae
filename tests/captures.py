"""What tests of captures share: a capture by name, run on a small corpus, and figures that stand where they say."""

from __future__ import annotations

import dataclasses
from importlib import import_module
from typing import Any

from harness.capture.api import Capture, Payload, Run
from harness.corpus.model import Corpus
from harness.store import Store
from provenance.canonical import resolve, rounded
from provenance.figures import figures_of, table_faults


def capture_of(name: str) -> Capture:
    """The registered capture of this name."""
    found = import_module(f"harness.experiments.{name}.capture").CAPTURE
    assert isinstance(found, Capture)
    return found


def captured(capture: Capture, corpus: Corpus, store: Store | None = None) -> Payload:
    """What a capture finds on a small corpus with its settings for one, in ``store`` where it needs a database."""
    run = Run.over(corpus, {**capture.params, **capture.canary_params})
    if store is not None:
        run.open_database = lambda: store
    return capture.capture(run)


def standing_figures(payload: Payload, capture: Capture | None = None) -> dict[str, Any]:
    """The figures as a dataset holds them, by the tables of the capture where it has some; AssertionError where one is
    not the value that it says it is, or where one that varies between runs comes without its number and interval."""
    if capture is not None and capture.tables:
        figures_by_tables: dict[str, Any] = declared(capture, payload)["figures"]
        return figures_by_tables
    dataset: dict[str, Any] = rounded(dataclasses.asdict(payload))
    figures: dict[str, Any] = dataset["figures"]
    for name, figure in figures.items():
        if figure["at"] and resolve(dataset, figure["at"]) != figure["value"]:
            raise AssertionError(f"{name}: {figure['value']} is not what stands at {figure['at']}")
        if figure["volatile"] and (figure["n"] is None or figure["interval"] is None):
            raise AssertionError(f"{name} varies between runs and has no n or no interval")
    return figures


def declared(capture: Capture, payload: Payload) -> dict[str, Any]:
    """What a dataset of a capture with tables holds, its figures beside; AssertionError where a table does not fit."""
    dataset: dict[str, Any] = rounded({"result": payload.result, "timings": payload.timings})
    dataset["params"] = {**capture.params, **capture.canary_params}
    dataset |= {"tables": [table.as_dict() for table in capture.tables], "volatile": list(capture.volatile)}
    faults = table_faults(dataset)
    if faults:
        raise AssertionError("\n".join(f"{at}: {message}" for at, message in faults))
    return dataset | {"figures": dict(figures_of(dataset))}
