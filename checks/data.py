"""The guard over ``data/interactive/``: every dataset has a block, and the block is still true.

Nothing of the harness is imported: which captures exist is told from their files, so the guard runs where
neither a database nor a model is installed.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from checks.data_lines import line_of
from checks.data_vouching import unvouched
from checks.problems import Level, Problem
from provenance import stages
from provenance.captures import capture_files, regenerate_command
from provenance.payload import payload_faults
from provenance.schema import violations
from provenance.state import DATASETS, State, dataset_state


@dataclass(frozen=True)
class _File:
    """A dataset file under examination."""

    root: Path
    path: Path
    text: str
    dataset: Mapping[str, Any]
    today: str | None

    @cached_property
    def state(self) -> State:
        return dataset_state(self.dataset, self.root, self.today)

    @property
    def command(self) -> str:
        return regenerate_command(self.path.stem)

    def problem(self, pointer: str, rule: str, message: str, fix: str, level: Level = "error") -> Problem:
        line, column = line_of(self.text, pointer)
        return Problem(self.path.relative_to(self.root).as_posix(), line, column, rule, message, fix, level)


def check_datasets(root: Path, today: str | None = None) -> list[Problem]:
    """Every problem of the datasets of the repository at ``root``, in file and line order.

    Errors: no block, schema, unknown script or command, dirty capture, stale, figures that disagree with
    their tables, unsourced or long excerpts, a commit that history does not have. Warnings: an equivalent
    dataset, a stale one whose ``stale_ok`` holds until ``today`` (default: the date of the tree), a check
    that was skipped.
    """
    return problems_of(examine_datasets(root, today))


@dataclass(frozen=True)
class Examined:
    """What one look at a dataset file gave: its problems, and its state (None where it cannot be used)."""

    problems: tuple[Problem, ...]
    state: State | None


def examine_datasets(root: Path, today: str | None = None) -> dict[str, Examined]:
    """Every dataset of the repository at ``root`` by the name of its file, examined once for guards and pages."""
    return {path.stem: examine_dataset(root, path, today) for path in sorted((root / DATASETS).glob("*.json"))}


def problems_of(examined: Mapping[str, Examined]) -> list[Problem]:
    """The problems of all datasets, in file and line order."""
    return sorted(_one_skip([problem for one in examined.values() for problem in one.problems]))


def _one_skip(problems: list[Problem]) -> list[Problem]:
    """A check that was skipped for every dataset is said once."""
    skipped = [problem for problem in problems if problem.rule == "commit-skipped"]
    if len(skipped) < 2:
        return problems
    message = f"commits of {len(skipped)} datasets not checked: no full git history here"
    once = Problem(DATASETS.as_posix(), 0, 0, "commit-skipped", message, skipped[0].fix, "warning")
    return [once, *(problem for problem in problems if problem.rule != "commit-skipped")]


def check_dataset(root: Path, path: Path, today: str | None = None) -> list[Problem]:
    """Every problem of one dataset file."""
    return list(examine_dataset(root, path, today).problems)


def examine_dataset(root: Path, path: Path, today: str | None = None) -> Examined:
    """The problems and the state of one dataset file."""
    where = path.relative_to(root).as_posix()
    command = regenerate_command(path.stem)
    try:
        return _check(root, path, today)
    except json.JSONDecodeError as error:
        fault = Problem(where, error.lineno, error.colno, "json", f"not JSON: {error.msg}", command)
    except RecursionError:
        fault = Problem(where, 1, 1, "json", "nested too deeply to be read", command)
    except ValueError as error:  # a number of more digits than Python reads
        fault = Problem(where, 1, 1, "json", f"not JSON: {error}", command)
    except OSError as error:
        fault = Problem(where, 0, 0, "json", f"cannot be read: {error.strerror}", command)
    return Examined((fault,), None)


def _check(root: Path, path: Path, today: str | None) -> Examined:
    text = path.read_text("utf-8", errors="replace")
    where = path.relative_to(root).as_posix()
    twice: list[str] = []
    dataset = json.loads(text, object_pairs_hook=lambda pairs: _without_doubles(pairs, twice))
    if twice:
        message = f"a key stands twice in one object, and readers differ in which they take: {', '.join(twice)}"
        fault = Problem(where, _second(text, twice[0]), 1, "json", message, regenerate_command(path.stem))
        return Examined((fault,), None)
    if not isinstance(dataset, dict):
        fault = Problem(where, 1, 1, "json", "expected a JSON object", regenerate_command(path.stem))
        return Examined((fault,), None)
    file = _File(root, path, text, dataset, today)
    broken = list(_block(file))
    if broken:
        return Examined(tuple(broken), None)
    rules: tuple[Callable[[_File], Iterator[Problem]], ...] = (_origin, _dirty, _state, _payload, _commit)
    problems = tuple(problem for rule in rules for problem in rule(file))
    return Examined(problems, file.state if dataset["name"] == path.stem else None)


def _without_doubles(pairs: list[tuple[str, Any]], twice: list[str]) -> dict[str, Any]:
    """The object of some pairs; keys met a second time are added to ``twice``."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            twice.append(repr(key))
        found[key] = value
    return found


def _second(text: str, key: str) -> int:
    """The line where a key that stands twice in its object is written last, or 0 where it cannot be told."""
    name = json.dumps(key[1:-1], ensure_ascii=False)
    lines = [number for number, line in enumerate(text.split("\n"), 1) if line.lstrip().startswith(f"{name}:")]
    return lines[-1] if lines else 0


def _block(file: _File) -> Iterator[Problem]:
    """The provenance block is there and has its shape; the other rules rely on it."""
    if not isinstance(file.dataset.get("generated_by"), dict):
        message = "no provenance block: generated_by is missing, so nobody can tell what made this file"
        yield file.problem("/generated_by", "provenance", message, file.command)
        return
    for item in violations(file.dataset):
        yield file.problem(item.pointer, "schema", str(item), file.command)


def _origin(file: _File) -> Iterator[Problem]:
    """Name, script and command belong to a capture that exists."""
    captures = capture_files(file.root)
    made = file.dataset["generated_by"]
    name, expected = file.dataset["name"], captures.get(file.path.stem)
    if name != file.path.stem:
        yield file.problem("/name", "name", f"name is {name!r}, the file {file.path.name!r}", file.command)
    if file.dataset["schema"].split("/")[1] != name:
        message = f"schema {file.dataset['schema']!r} is not that of {name!r}"
        yield file.problem("/schema", "name", message, file.command)
    if expected is None and not (file.root / made["script"]).is_file():
        remove = f"git rm {file.path.relative_to(file.root).as_posix()}, or restore the capture"
        yield file.problem("/generated_by/script", "script", f"no script {made['script']}", remove)
    elif (file.root / made["script"]).is_file() and (expected is None or expected.as_posix() != made["script"]):
        message = f"{made['script']} is not the capture of {file.path.stem!r}"
        fix = f"captures are harness/experiments/NAME/capture.py; known: {', '.join(captures) or 'none'}"
        yield file.problem("/generated_by/script", "script", message, fix)
    if made["script"] not in {entry["path"] for entry in made["code"]}:
        message = f"the code list lacks the script {made['script']}"
        yield file.problem("/generated_by/code", "script", message, file.command)
    if made["regenerate"] != file.command or expected is None:
        message = f"no registered capture answers to the command {made['regenerate']!r}"
        yield file.problem("/generated_by/regenerate", "command", message, file.command)


def _dirty(file: _File) -> Iterator[Problem]:
    if file.dataset["generated_by"]["dirty"]:
        message = "captured from uncommitted code or inputs: nobody else can make this file again"
        yield file.problem("/generated_by/dirty", "dirty", message, f"commit, then: {file.command}")


def _state(file: _File) -> Iterator[Problem]:
    state = file.state
    unseen = dict(unvouched(state.reasons)) if state.name == "equivalent" else {}
    for reason in state.reasons:
        if reason in unseen:
            message = f"{reason}; the canary is equal, but it does not see {unseen[reason]}"
            yield file.problem(_blamed(file, reason), "stale", message, file.command)
        else:
            yield _reason(file, state, reason)


def _reason(file: _File, state: State, reason: str) -> Problem:
    if state.name == "equivalent":
        message = f"{reason}; {state.text}"
        return file.problem("/generated_by/code", "equivalent", message, file.command, "warning")
    if "edited by hand" in reason:
        fix = f"git checkout -- {file.path.relative_to(file.root).as_posix()}, or: {file.command}"
        return file.problem("/integrity", "edited", reason, fix)
    if state.excused:
        excuse = file.dataset["stale_ok"]
        message = f"{reason}; published until {excuse['until']}: {excuse['reason']}"
        return file.problem("/stale_ok", "stale", message, file.command, "warning")
    if reason.startswith(("no canary", "canary run is older")):
        fix = f"python -m harness canary {file.path.stem}, or: {file.command}"
        return file.problem(_blamed(file, reason), "stale", reason, fix)
    return file.problem(_blamed(file, reason), "stale", reason, stages.remedy(reason) or file.command)


def _blamed(file: _File, reason: str) -> str:
    """The pointer of the code file or input that a reason names."""
    subject = reason.split(": ", 1)[-1]
    for index, entry in enumerate(file.dataset["generated_by"]["code"]):
        if entry["path"] == subject:
            return f"/generated_by/code/{index}"
    for index, entry in enumerate(file.dataset["inputs"]):
        if entry["uri"] == subject:
            return f"/inputs/{index}"
    return "/canary" if "canary" in reason else "/generated_by/code"


def _payload(file: _File) -> Iterator[Problem]:
    for fault in payload_faults(file.dataset):
        fix = f"mend {file.dataset['generated_by']['script']}, then: {file.command}"
        yield file.problem(fault.pointer, fault.rule, fault.message, fix)


def _commit(file: _File) -> Iterator[Problem]:
    """A commit id is weak evidence, the hashes are the strong one: with history present it must exist."""
    commit = file.dataset["generated_by"]["commit"]
    place = "/generated_by/commit"
    if commit is None:
        message = "captured outside version control: code digests are the only evidence"
        yield file.problem(place, "commit", message, f"from a clone: {file.command}", "warning")
    elif not _has_history(file.root):
        message = f"commit {commit[:12]} not checked: no full git history here"
        yield file.problem(place, "commit-skipped", message, "git fetch --unshallow", "warning")
    elif not _has_commit(file.root, commit):
        message = f"commit {commit[:12]} is not in this repository's history"
        yield file.problem(place, "commit", message, f"fetch the branch that has it, or: {file.command}")


@lru_cache(maxsize=8)
def _has_history(root: Path) -> bool:
    top = _git(root, "rev-parse", "--show-toplevel")
    shallow = _git(root, "rev-parse", "--is-shallow-repository")
    return top is not None and Path(top.strip()).resolve() == root.resolve() and shallow == "false\n"


@lru_cache(maxsize=1024)
def _has_commit(root: Path, commit: str) -> bool:
    return _git(root, "cat-file", "-e", f"{commit}^{{commit}}") is not None


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=30, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
