"""Reading a text file: plain line ends, and a fault that names its line."""

from __future__ import annotations

from pathlib import Path

from checks.problems import Problem, Unreadable


def plain_breaks(text: str) -> str:
    """The text with plain line ends, as reading a file gives it."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_text(file: Path) -> str:
    """The text with plain line ends; Unreadable for a folder of that name or bytes that are not UTF-8."""
    try:
        return file.read_text(encoding="utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        fault = f"byte {error.object[error.start]:#04x} is not UTF-8"
        raise Unreadable(Problem(str(file), line, 1, "unreadable", fault, "save the file as UTF-8")) from error
    except OSError as error:
        raise Unreadable(Problem(str(file), 0, 0, "unreadable", error.strerror or "cannot be read")) from error
