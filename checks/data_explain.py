"""The chain from a number to the documents it rests on, as lines of text."""

from __future__ import annotations

import os.path
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from checks.data import check_dataset
from checks.problems import Problem
from provenance.canonical import walk
from provenance.codehash import digest_today
from provenance.figures import figures_of
from provenance.state import DATASETS, dataset_state, input_digest, read_dataset

Dataset = Mapping[str, Any]


def explain(root: Path, name: str) -> list[str]:
    """From figure to document: figures, run, code, models, inputs (datasets among them in turn), documents.

    Raises OSError when there is no such dataset. The dataset must satisfy the schema; one among its inputs that is
    missing or broken is named as that.
    """
    return list(_dataset(root, name, 0, frozenset()))


def broken(root: Path, name: str) -> list[Problem]:
    """The problems of a dataset for which it has no chain: it is no JSON, or not of the schema."""
    problems = check_dataset(root, root / DATASETS / f"{name}.json")
    return [one for one in problems if one.rule in ("json", "provenance", "schema")]


def _dataset(root: Path, name: str, depth: int, above: frozenset[str]) -> Iterator[str]:
    dataset = read_dataset(root, name)
    pad = "    " * depth
    lines = [*_figures(dataset), *_run(dataset, root), *_code(dataset, root), *_models(dataset)]
    yield from (pad + line for line in lines)
    for entry in dataset["inputs"]:
        yield f"{pad}input     {_input(entry, root)}"
        origin = entry.get("from")
        if origin and origin not in above | {name}:
            yield from _origin(root, origin, depth + 1, above | {name})
    yield from (pad + line for line in _documents(dataset))


def _origin(root: Path, name: str, depth: int, above: frozenset[str]) -> Iterator[str]:
    """The chain of a dataset that another rests on, or why there is none."""
    if not os.path.isfile(root / DATASETS / f"{name}.json"):
        yield f"{'    ' * depth}dataset   {name}: missing"
    elif faults := broken(root, name):
        yield f"{'    ' * depth}dataset   {name}: broken, {faults[0].message}"
    else:
        yield from _dataset(root, name, depth, above)


def _figures(dataset: Dataset) -> Iterator[str]:
    for name, figure in figures_of(dataset).items():
        count = f", n = {figure['n']}" if "n" in figure else ""
        spread = f", {figure['interval'][0]} to {figure['interval'][1]}" if "interval" in figure else ""
        place = f", at {figure['at']}" if "at" in figure else ""
        unit = f" {figure['unit']}" if figure["unit"] else ""
        yield f"figure    {dataset['name']}.{name} = {figure['value']}{unit}{spread}{count}{place}: {figure['label']}"


def _run(dataset: Dataset, root: Path) -> Iterator[str]:
    made, state = dataset["generated_by"], dataset_state(dataset, root)
    yield f"dataset   {dataset['name']}: {dataset['describes']}"
    yield f"state     {state.name}: {state.text}"
    yield f"run       {dataset['run']['id']}, {dataset['run']['seconds']} s, commit {made['commit'] or 'none'}"
    yield f"command   {made['regenerate']}"


def _code(dataset: Dataset, root: Path) -> Iterator[str]:
    for entry in dataset["generated_by"]["code"]:
        now = digest_today(root / entry["path"])
        word = "removed" if now is None else "same" if now == entry["sha256"] else "changed"
        yield f"code      {entry['path']} {entry['sha256'][:12]} {word}"


def _models(dataset: Dataset) -> Iterator[str]:
    for model in dataset["models"]:
        yield f"model     {model['role']}: {model['name']} {model['sha256'][:12]}"


def _input(entry: Mapping[str, Any], root: Path) -> str:
    word = str(entry["available"])
    if word == "repo":
        now = input_digest(entry, root)
        word = "removed" if now is None else "same" if now == entry["sha256"] else "changed"
    size = f", {entry['records']} records" if entry["records"] is not None else ""
    return f"{entry['name']}: {entry['uri']} {entry['sha256'][:12]} {word}{size}"


def _documents(dataset: Dataset) -> Iterator[str]:
    """Documents that the result itself names, once each."""
    seen: dict[str, str] = {}
    for pointer, value in walk(dataset["result"]):
        if isinstance(value, dict) and isinstance(value.get("url"), str):
            doc = str(value.get("doc") or pointer.rsplit("/", 1)[-1])
            seen.setdefault(doc, f"{value.get('title', '')}, {value['url']}")
    for doc, words in sorted(seen.items()):
        yield f"document  {doc}: {words}"
