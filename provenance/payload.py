"""Rules of the payload that a schema cannot say: figures and tables agree, timings are complete, excerpts are
sourced.

The runner applies them before it writes, the build applies them to what it reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from provenance.canonical import escape, resolve, walk
from provenance.figures import table_faults

EXCERPT_LIMIT = 300
SOURCE_KEYS = ("title", "url", "licence")
# Strings that are ours, not a document's: they may be longer than an excerpt.
_OWN_TEXT = frozenset({"sql", "plan", "schema", "code", "grammar", "template", "note"})


@dataclass(frozen=True)
class Fault:
    """A place in a dataset, the rule it breaks, and what was found and expected."""

    pointer: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer}: {self.message}"


def payload_faults(dataset: Mapping[str, Any]) -> list[Fault]:
    """Every broken payload rule of a dataset that satisfies the schema."""
    return [
        *(Fault(at, "table", message) for at, message in table_faults(dataset)),
        *_pointer_faults(dataset),
        *_timing_faults(dataset),
        *_excerpt_faults(dataset),
        *_run_faults(dataset),
    ]


def _pointer_faults(dataset: Mapping[str, Any]) -> Iterator[Fault]:
    """A figure that says where its value stands must say what stands there."""
    for name, figure in dataset.get("figures", {}).items():
        if "at" not in figure:
            continue
        place = f"/figures/{escape(name)}/at"
        try:
            value = resolve(dataset, figure["at"])
        except (KeyError, ValueError) as error:
            yield Fault(place, "figure-pointer", str(error.args[0]))
            continue
        if isinstance(value, bool) or value != figure["value"]:
            yield Fault(place, "figure-pointer", f"{figure['at']} is {value!r}, the figure {figure['value']!r}")


def _timing_faults(dataset: Mapping[str, Any]) -> Iterator[Fault]:
    """A timing is printed with the number of observations, its spread and the hardware, so it must have
    them."""
    volatile = {name: figure for name, figure in dataset.get("figures", {}).items() if figure.get("volatile")}
    for name, figure in volatile.items():
        missing = [key for key in ("n", "interval") if key not in figure]
        if missing:
            yield Fault(f"/figures/{escape(name)}", "timing", f"volatile figure without {' and '.join(missing)}")
    environment = dataset.get("environment", {})
    if (volatile or dataset["timings"]) and not {"cpu", "cores"} <= environment.keys():
        yield Fault("/environment", "timing", "timings are present, so cpu and cores are expected")


def _excerpt_faults(dataset: Mapping[str, Any]) -> Iterator[Fault]:
    """Excerpts are short and carry their source, beside them or in ``result.sources[doc]``."""
    shared = dataset["result"].get("sources")
    for pointer, value in walk(dataset["result"], "/result"):
        if isinstance(value, dict) and isinstance(value.get("excerpt"), str):
            missing = _missing_source(value, shared if isinstance(shared, dict) else {})
            if missing:
                yield Fault(f"{pointer}/excerpt", "excerpt", f"excerpt without {', '.join(missing)} of its document")
        if isinstance(value, str) and len(value) > EXCERPT_LIMIT and pointer.rsplit("/", 1)[1] not in _OWN_TEXT:
            yield Fault(pointer, "excerpt", f"{len(value)} characters, expected at most {EXCERPT_LIMIT}")


def _missing_source(excerpt: Mapping[str, Any], shared: Mapping[str, Any]) -> list[str]:
    if not excerpt.get("doc"):
        return ["doc"]
    source = shared.get(excerpt["doc"])
    known = {**(source if isinstance(source, dict) else {}), **excerpt}
    return [key for key in SOURCE_KEYS if not known.get(key)]


def _run_faults(dataset: Mapping[str, Any]) -> Iterator[Fault]:
    """All rows of a table come from one run: a list whose rows name different runs is no table."""
    for pointer, value in walk(dataset["result"], "/result"):
        if not isinstance(value, list):
            continue
        runs = sorted({str(row["run_id"]) for row in value if isinstance(row, dict) and "run_id" in row})
        if len(runs) > 1:
            yield Fault(pointer, "one-run", f"rows come from {len(runs)} runs: {', '.join(runs[:4])}")
