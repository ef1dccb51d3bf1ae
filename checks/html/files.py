"""Checking files and folders: one problem file never stops the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.problems import Problem

from .config import Config
from .encoding import Decoded, decode
from .findings import Finding
from .guard import Guard
from .messages import Located, Positions, locate

SUFFIXES = frozenset((".html", ".htm", ".xhtml"))


def inspect(text: str | Decoded, path: str, config: Config | None = None) -> list[Located]:
    """All findings in one text that count under ``config``, in document order, with related elements."""
    config = config or Config()
    read = text if isinstance(text, Decoded) else Decoded(text)
    findings = [Finding(offset, rule, "the file", detail=detail) for rule, offset, detail in read.flaws]
    findings += Guard(read.text, config.fragment).run()
    if not findings:
        return []
    levels = config.levels(path)
    positions = Positions(read.text)
    findings.sort(key=lambda one: one.offset)
    return [locate(one, path, levels[one.rule], positions) for one in findings if one.rule in levels]


def html_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The HTML files of folders (in order of their names, hidden ones too) and every file given by name."""
    for given in paths:
        path = Path(given)
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and not p.is_dir())
        else:
            yield path


def read_html(path: Path) -> Decoded | Problem:
    """The text of a file in the encoding that a browser would find, or the problem that it cannot be read."""
    try:
        return decode(path.read_bytes())
    except OSError as error:
        return unreadable(path.as_posix(), error.strerror or str(error))


def unreadable(path: str, detail: str) -> Problem:
    """The problem that a file was not checked at all."""
    fix = "make it readable, or leave it out"
    return Problem(path, 0, 0, "unreadable-file", f"{detail}. Nothing in it was checked", fix)


def inspect_paths(paths: Iterable[str | Path], config: Config | None = None) -> Iterator[tuple[Path, list[Located]]]:
    """Every file with its findings; files are read one at a time."""
    config = config or Config()
    for path in html_files(paths):
        text = read_html(path)
        if isinstance(text, Problem):
            levels = config.levels(path.as_posix())
            yield path, [Located(text, "unreadable")] if text.rule in levels else []
        else:
            yield path, inspect(text, path.as_posix(), config)
