"""Capture ``provenance_audit``: the chain behind every other dataset, and which edits of a copy are noticed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.capture.api import EXACT, Capture, Figure, JsonObject, Payload, Run
from harness.errors import HarnessError
from harness.experiments.provenance_audit.copy import copied
from harness.experiments.provenance_audit.edits import EDITS, tried
from harness.experiments.provenance_audit.sample import sample
from harness.paths import ROOT
from provenance.figures import figures_of
from provenance.state import DATASETS, dataset_state, read_dataset

NAME = "provenance_audit"


def capture(run: Run) -> Payload:
    """Every dataset that is fresh today: its chain counted, then edits of each kind made to a copy of it."""
    chains: list[JsonObject] = []
    edits: list[JsonObject] = [
        {"edit": edit.id, "says": edit.says, "expected": edit.expected, "tried": 0, "as_expected": 0, "said": ""}
        for edit in EDITS
    ]
    left_out: list[JsonObject] = []
    for dataset, root in _datasets(run):
        state = dataset_state(dataset, root)
        if state.name != "fresh":
            left_out.append({"dataset": dataset["name"], "state": state.name})
            continue
        run.log(f"edits of {dataset['name']}")
        chains.append(_chain(dataset))
        with copied(dataset, root) as copy:
            for edit, row in zip(EDITS, edits, strict=True):
                done = tried(edit, copy, run.params["most"])
                row["tried"] += done["tried"]
                row["as_expected"] += done["as_expected"]
                row["said"] = row["said"] or done["said"]
    if not chains:
        raise HarnessError("no dataset is fresh, so there is no chain to audit; see: python -m harness list")
    result = {"summary": _summary(chains, edits), "chains": chains, "edits": edits, "left_out": left_out}
    return Payload(result=result, figures=_figures(result))


def _datasets(run: Run) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """Every other dataset with the root it belongs to; in a canary run a sample of its own."""
    if run.canary:
        with TemporaryDirectory(prefix="zeroth-sample-") as folder:
            yield sample(Path(folder)), Path(folder)
        return
    for path in sorted((ROOT / DATASETS).glob("*.json")):
        if path.stem != NAME:
            run.record_input(path.stem, path.relative_to(ROOT).as_posix(), dataset=path.stem)
            yield read_dataset(ROOT, path.stem), ROOT


def _chain(dataset: Mapping[str, Any]) -> JsonObject:
    inputs = dataset["inputs"]
    return {
        "dataset": dataset["name"],
        "determinism": dataset["determinism"]["kind"],
        "figures": len(figures_of(dataset)),
        "code_files": len(dataset["generated_by"]["code"]),
        "inputs": len(inputs),
        "inputs_in_repository": sum(entry["available"] == "repo" for entry in inputs),
        "models": len(dataset["models"]),
        "parameters": len(dataset["params"]),
        "code": [entry["path"] for entry in dataset["generated_by"]["code"]],
    }


def _summary(chains: Sequence[Mapping[str, Any]], edits: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    kinds = [chain["determinism"] for chain in chains]
    files = [chain["code_files"] for chain in chains]
    return {
        "datasets": len(chains),
        "figures": sum(chain["figures"] for chain in chains),
        "code_files": len({path for chain in chains for path in chain["code"]}),
        "code_files_least": min(files),
        "code_files_most": max(files),
        "exact": kinds.count("exact"),
        "tolerance": kinds.count("tolerance"),
        "distribution": kinds.count("distribution"),
        "edits_tried": sum(edit["tried"] for edit in edits),
    }


_LABELS = {
    "datasets": "datasets audited",
    "figures": "figures that prose may cite, over all audited datasets",
    "code_files": "different code files behind the audited datasets",
    "code_files_least": "code files behind the dataset with the fewest",
    "code_files_most": "code files behind the dataset with the most",
    "exact": "audited datasets whose re-run must agree exactly",
    "tolerance": "audited datasets whose re-run must agree within a tolerance",
    "distribution": "audited datasets that publish a distribution over repeated runs",
    "edits_tried": "edits made to copies of the audited datasets and of what they rest on",
}


def _figures(result: Mapping[str, Any]) -> dict[str, Figure]:
    figures = {
        name: Figure(value, "", _LABELS[name], at=f"/result/summary/{name}")
        for name, value in result["summary"].items()
    }
    for number, row in enumerate(result["edits"]):
        at, name = f"/result/edits/{number}", row["edit"]
        figures[f"{name}_tried"] = Figure(row["tried"], "", f"edits tried: {row['says']}", at=f"{at}/tried")
        label = f"edits after which the state was {row['expected']}: {row['says']}"
        figures[f"{name}_as_expected"] = Figure(
            row["as_expected"], "", label, n=row["tried"], at=f"{at}/as_expected"
        )  # fmt: skip
    return figures


CAPTURE = Capture(
    name=NAME,
    title="The chain behind every dataset, and what breaks it",
    describes=(
        "For every other dataset that was fresh at capture: what its numbers rest on, and the state that the rules of "
        "provenance give after one edit at a time to a copy of it, of its code and of its inputs."
    ),
    kind="measured",
    capture=capture,
    params={"most": 40},
    canary_params={"most": 2},
    caveats=(
        "Covers the datasets that were fresh at capture; the number of edits of a kind is capped for each dataset.",
    ),
    determinism=EXACT,
    minutes=1.0,
)
