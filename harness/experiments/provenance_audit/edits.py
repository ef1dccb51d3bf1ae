"""Ways to change a dataset or what it rests on, each with what the rules of provenance should say of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from harness.experiments.provenance_audit.copy import Copy
from provenance.canonical import escape, resolve, segments
from provenance.digests import sealed
from provenance.figures import figures_of
from provenance.state import State

Expected = Literal["stale", "fresh"]


@dataclass(frozen=True)
class Edit:
    """One kind of edit: its id, what it is in words, what the state should be, and the states it gave."""

    id: str
    says: str
    expected: Expected
    states: Callable[[Copy], Iterator[State]]


def _payload(copy: Copy) -> Iterator[State]:
    """Every numeric figure raised by one, alone."""
    for name, figure in figures_of(copy.dataset).items():
        if not isinstance(figure["value"], str):
            yield copy.state(_raised(copy, name, figure, place=False))


def _parameters(copy: Copy) -> Iterator[State]:
    for name in copy.dataset["params"]:
        dataset = copy.changed()
        dataset["params"][name] = "another"
        yield copy.state(dataset)


def _description(copy: Copy) -> Iterator[State]:
    dataset = copy.changed()
    dataset["describes"] += " And more."
    yield copy.state(dataset)


def _verified(copy: Copy) -> Iterator[State]:
    dataset = copy.changed()
    dataset["verified"].append({"date": "2000-01-01", "by": "rerun", "outcome": "same digest"})
    yield copy.state(dataset)


def _resealed(copy: Copy) -> Iterator[State]:
    """Every numeric figure, with the place it points at, raised by one; both digests computed again."""
    for name, figure in figures_of(copy.dataset).items():
        if not isinstance(figure["value"], str):
            yield copy.state(sealed(_raised(copy, name, figure, place=True)))


def _raised(copy: Copy, name: str, figure: Mapping[str, Any], place: bool) -> dict[str, Any]:
    """A copy with one figure raised by one; a figure of a table stands nowhere but at its place."""
    dataset = copy.changed()
    whole = name in dataset.get("figures", {})
    if whole:
        dataset["figures"][name]["value"] += 1
    if "at" in figure and (place or not whole):
        *way, last = segments(figure["at"])
        holder = resolve(dataset, "".join(f"/{escape(part)}" for part in way))
        holder[int(last) if isinstance(holder, list) else last] += 1
    return dataset


def _comment(copy: Copy) -> Iterator[State]:
    yield from _each(copy, copy.code, lambda data: data + b"\n# A remark.\n")


def _statement(copy: Copy) -> Iterator[State]:
    yield from _each(copy, copy.code, lambda data: data + b"\n_ADDED = 1\n")


def _no_code(copy: Copy) -> Iterator[State]:
    yield from _each(copy, copy.code, lambda data: None)


def _input_byte(copy: Copy) -> Iterator[State]:
    yield from _each(copy, copy.files, lambda data: data + b"\n")


def _no_input(copy: Copy) -> Iterator[State]:
    yield from _each(copy, copy.files, lambda data: None)


def _each(copy: Copy, files: list[Path], change: Callable[[bytes], bytes | None]) -> Iterator[State]:
    for path in files:
        with _changed(path, change):
            yield copy.state()


@contextmanager
def _changed(path: Path, change: Callable[[bytes], bytes | None]) -> Iterator[None]:
    """A file changed, or gone where ``change`` returns None, until the block ends."""
    before = path.read_bytes()
    after = change(before)
    if after is None:
        path.unlink()
    else:
        path.write_bytes(after)
    try:
        yield
    finally:
        path.write_bytes(before)


EDITS: tuple[Edit, ...] = (
    Edit("figure", "a figure raised by one, digests left alone", "stale", _payload),
    Edit("parameter", "a parameter replaced, digests left alone", "stale", _parameters),
    Edit("description", "a sentence added to the description", "stale", _description),
    Edit("statement", "a statement added to a code file", "stale", _statement),
    Edit("code_gone", "a code file deleted", "stale", _no_code),
    Edit("input", "a line break added to an input file", "stale", _input_byte),
    Edit("input_gone", "an input file deleted", "stale", _no_input),
    Edit("comment", "a comment added to a code file", "fresh", _comment),
    Edit("verified", "a verification recorded", "fresh", _verified),
    Edit("resealed", "a figure raised by one, both digests computed again", "stale", _resealed),
)


def tried(edit: Edit, copy: Copy, most: int) -> dict[str, Any]:
    """How many edits of a kind (at most ``most``) were made to one dataset, how many came out as they should, and the
    reasons given for the first."""
    states = list(islice(edit.states(copy), most))
    said = next(("; ".join(state.reasons) for state in states if state.reasons), "")
    return {"tried": len(states), "as_expected": sum(state.name == edit.expected for state in states), "said": said}
