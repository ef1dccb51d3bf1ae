"""Walkthroughs as they are written: ``content/walkthroughs/<dataset>/<id>.md``, one section per state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checks.problems import Problem
from checks.texts import read_text
from render.reading import frontmatter
from render.reading.frontmatter import Field

FOLDER = "content/walkthroughs"
FIELDS = (
    Field("title", "text"),
    Field("kind", "text", required=False),
    Field("main", "truth", required=False),
    Field("figures", "names", required=False),
    Field("names", "mapping", required=False),
    Field("words", "mapping", required=False),
    Field("defaults", "mapping", required=False),
    Field("dials", "records", required=False),
    Field("cells", "mapping", required=False),
    Field("opens", "text", required=False),
)
DIAL_KEYS = ("name", "each", "value")
CELL_KEYS = ("says", "brief", "tone")
_HEADING = re.compile(
    r"##\s+(?P<title>.+?)\s+\{#(?P<id>.+?)(?:\s+each=\"(?P<name>[a-z_]\w*) in (?P<of>[^\"]+)\")?\}\s*"
)
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


@dataclass(frozen=True)
class SourceState:
    """A section: one state, or one for each record that ``of`` selects, which it calls ``name``.

    ``title`` and ``id`` are inline Markdown, ``text`` blocks that begin at ``line + 1``.
    """

    title: str
    id: str
    name: str
    of: str
    text: str
    line: int


@dataclass(frozen=True)
class SourceWalkthrough:
    """A walkthrough as written. ``intro`` is the text before the first section, at ``intro_line``.

    ``names`` shorten selectors, ``words`` put values into words, ``defaults`` are options by view, ``dials`` span the
    grid of states, ``cells`` says what a cell of it prints, ``figures`` are patterns of the figures that views print.
    """

    path: str
    dataset: str
    id: str
    title: str
    kind: str
    main: bool
    figures: tuple[str, ...]
    names: Mapping[str, Any]
    words: Mapping[str, Any]
    defaults: Mapping[str, Mapping[str, Any]]
    dials: tuple[Mapping[str, Any], ...]
    cells: Mapping[str, Any]
    opens: str
    intro: str
    intro_line: int
    states: tuple[SourceState, ...]
    lines: Mapping[str, int]


def load_walkthroughs(root: Path, report: list[Problem]) -> dict[str, dict[str, SourceWalkthrough]]:
    """The walkthroughs of each dataset by id, the main one first."""
    found: dict[str, dict[str, SourceWalkthrough]] = {}
    for file in sorted((root / FOLDER).glob("*/*.md")):
        one = _read(file, file.relative_to(root).as_posix(), report)
        if one is not None:
            found.setdefault(one.dataset, {})[one.id] = one
    return {name: dict(sorted(every.items(), key=lambda item: not item[1].main)) for name, every in found.items()}


def _read(file: Path, path: str, report: list[Problem]) -> SourceWalkthrough | None:
    document = frontmatter.parse(read_text(file), path, FIELDS, report)
    if document is None:
        return None
    before = len(report)
    intro, intro_line, states = _sections(document.body, document.body_line, path, report)
    _check(document.fields, document.lines, path, report)
    if len(report) > before:
        return None
    fields = {**document.fields, "kind": document.fields["kind"] or "stepper"}
    fields["words"] = {str(group): _by_name(entries) for group, entries in fields["words"].items()}
    fields["names"] = {str(name): str(meant) for name, meant in fields["names"].items()}
    return SourceWalkthrough(
        path=path, dataset=file.parent.name, id=file.stem, intro=intro, intro_line=intro_line, states=states,
        lines=document.lines, **fields,
    )  # fmt: skip


def _by_name(entries: Any) -> Any:
    """Words by value as text: YAML reads ``true``, ``no`` and ``10`` as values of their own."""
    if not isinstance(entries, dict):
        return entries
    return {str(key).lower() if isinstance(key, bool) else str(key): text for key, text in entries.items()}


def _check(fields: Mapping[str, Any], lines: Mapping[str, int], path: str, report: list[Problem]) -> None:
    """Reports words that are neither of the two forms, and unknown keys of dials and cells."""

    def wrong(field: str, message: str) -> None:
        report.append(Problem(path, lines.get(field, 1), 1, "walkthrough", message))

    for group, entries in fields["words"].items():
        listed = isinstance(entries, list) and all(isinstance(one, dict) and set(one) <= {"when", "text", "mark"}
                                                   for one in entries)  # fmt: skip
        if not listed and not isinstance(entries, dict):
            wrong("words", f"the words `{group}` are neither value: text lines nor a list of {{when, text, mark}}")
    for name, options in fields["defaults"].items():
        if not isinstance(options, dict):
            wrong("defaults", f"the defaults of {name} are not option: value lines")
    for dial in fields["dials"]:
        if not {"name", "each"} <= set(dial) <= set(DIAL_KEYS):
            wrong("dials", f'{dial!r} is no dial: expected name, each ("x in selector") and perhaps value')
    if not set(fields["cells"]) <= set(CELL_KEYS):
        wrong("cells", f"cells have {', '.join(CELL_KEYS)}")


def _sections(body: str, first: int, path: str, report: list[Problem]) -> tuple[str, int, tuple[SourceState, ...]]:
    """The intro with its line, and the sections that ``## Title {#id}`` begins outside code."""
    pieces: list[tuple[re.Match[str] | None, int, list[str]]] = [(None, first - 1, [])]
    for number, line, fenced in _lines(body, first):
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading is None and not fenced and re.match(r"##\s", line):
            message = f"{line!r} names no state"
            report.append(Problem(path, number, 1, "walkthrough", message, "write `## Title {#id}`"))
        if heading:
            pieces.append((heading, number, []))
        else:
            pieces[-1][2].append(line)
    states = tuple(
        SourceState(found["title"], found["id"], found["name"] or "", found["of"] or "", "\n".join(text), line)
        for found, line, text in pieces
        if found
    )
    if not states:
        report.append(Problem(path, first, 1, "walkthrough", "there is no state", "write `## Title {#id}`"))
    intro = pieces[0][2]
    blank = next((at for at, line in enumerate(intro) if line.strip()), 0)
    return "\n".join(intro).strip(), first + blank, states


def _lines(body: str, first: int) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number, and whether it is inside a fence (its marks included)."""
    fence = ""
    for number, line in enumerate(body.split("\n"), first):
        mark = _FENCE.match(line)
        if fence:
            yield number, line, True
            closes = mark and mark[1].startswith(fence) and not line.strip().strip(fence[0])
            fence = "" if closes else fence
        else:
            fence = mark[1] if mark else ""
            yield number, line, bool(mark)
