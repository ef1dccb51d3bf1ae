"""Checking files and folders: one problem file never stops the run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from checks.problems import Problem

from .config import Config
from .guard import Guard
from .messages import Located, Positions, locate

SUFFIXES = frozenset((".html", ".htm", ".xhtml"))


def inspect(text: str, path: str, config: Config | None = None) -> list[Located]:
    """All findings in one text that count under ``config``, in document order, with related elements."""
    config = config or Config()
    findings = Guard(text, config.fragment).run()
    if not findings:
        return []
    levels = config.levels(path)
    positions = Positions(text)
    return [locate(one, path, levels[one.rule], positions) for one in findings if one.rule in levels]


def html_files(paths: Iterable[str | Path]) -> Iterator[Path]:
    """The HTML files of folders (in order of their names, hidden ones too) and every file given by name."""
    for given in paths:
        path = Path(given)
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and not p.is_dir())
        else:
            yield path


def read_html(path: Path) -> str | Problem:
    """The text of a file (UTF-8, with or without byte order mark), or the problem that it cannot be read."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        detail = f"byte {error.start} is not UTF-8"
    except OSError as error:
        detail = error.strerror or str(error)
    return unreadable(path.as_posix(), detail)


def unreadable(path: str, detail: str) -> Problem:
    """The problem that a file was not checked at all."""
    fix = "save it as UTF-8 and make it readable"
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
