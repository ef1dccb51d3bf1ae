"""The code digest follows what code does, not how it looks."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from provenance.codehash import code_digest, file_digest

SOURCE = '''
"""Module docstring."""
import math

class Box:
    """Class docstring."""
    size: int = 3
    """Attribute documentation."""

def area(width, height=2):
    """Function docstring."""
    # a comment
    return f"{width * height:.2f} of {math.pi!r}"
'''

SAME = {
    "a comment more": SOURCE.replace("# a comment", "# another\n    # and one more"),
    "other docstrings": SOURCE.replace("docstring", "words"),
    "no docstrings": SOURCE.replace('    """Function docstring."""\n', "").replace('"""Module docstring."""\n', ""),
    "other formatting": SOURCE.replace("(width, height=2)", "(\n    width,\n    height = 2,\n)"),
    "other quotes": SOURCE.replace('f"{width * height:.2f} of {math.pi!r}"', "f'{width*height:.2f} of {math.pi!r}'"),
    "a pass that does nothing": SOURCE.replace("    # a comment", "    pass"),
    "an f-string in two parts": SOURCE.replace(" of {", ' o" f"f {'),
}

DIFFERENT = {
    "constant": SOURCE.replace("height=2", "height=3"),
    "type of a constant": SOURCE.replace("height=2", "height=2.0"),
    "operator": SOURCE.replace("width * height", "width + height"),
    "name": SOURCE.replace("area", "surface"),
    "format": SOURCE.replace(".2f", ".3f"),
    "conversion": SOURCE.replace("!r", "!s"),
    "default": SOURCE.replace("height=2", "height"),
    "order": SOURCE.replace("width, height", "height, width"),
    "text": SOURCE.replace(" of ", " by "),
    "import": SOURCE.replace("import math", "import cmath as math"),
    "keyword only": SOURCE.replace("width, ", "width, *, "),
}


@pytest.mark.parametrize("name", SAME)
def test_appearance_does_not_change_the_digest(name: str) -> None:
    assert SAME[name] != SOURCE
    assert code_digest(SAME[name].encode()) == code_digest(SOURCE.encode())


@pytest.mark.parametrize("name", DIFFERENT)
def test_a_change_of_code_changes_the_digest(name: str) -> None:
    assert DIFFERENT[name] != SOURCE
    assert code_digest(DIFFERENT[name].encode()) != code_digest(SOURCE.encode())


def test_all_changes_have_digests_of_their_own() -> None:
    digests = {code_digest(source.encode()) for source in DIFFERENT.values()}
    assert len(digests) == len(DIFFERENT)


def test_a_file_that_is_no_python_counts_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "query.sql"
    path.write_text("SELECT 1 -- one")
    first = file_digest(path)
    path.write_text("SELECT 1")
    assert file_digest(path) != first


def test_source_that_does_not_parse_is_a_syntax_error() -> None:
    with pytest.raises(SyntaxError):
        code_digest(b"def")


def test_the_digest_is_the_one_that_was_recorded() -> None:
    """Held fixed: a Python version or a change of the serialisation that moves it would make every dataset
    stale."""
    assert code_digest(SOURCE.encode()) == "a980fdca1f6fd39ed5c23ae56013ccb7023f2aa3222ad758321691493446cb6d"


def _python(version: str) -> str | None:
    """A Python of this version that can run, or None; a version manager may leave a command that cannot."""
    command = shutil.which(f"python{version}")
    if command is None:
        return None
    done = subprocess.run([command, "-V"], capture_output=True, text=True, check=False)
    return command if done.stdout.startswith(f"Python {version}.") else None


@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_every_supported_python_gives_the_same_digest(version: str) -> None:
    python = _python(version)
    if python is None:
        pytest.skip(f"python{version} is not installed")
    root = Path(__file__).resolve().parents[2]
    script = "import sys; from provenance.codehash import code_digest; print(code_digest(sys.stdin.buffer.read()))"
    done = subprocess.run([python, "-c", script], cwd=root, input=SOURCE.encode(), capture_output=True, check=True)
    assert done.stdout.decode().strip() == code_digest(SOURCE.encode())
