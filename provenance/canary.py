"""What ``data/canary.json`` says: which code gave which digest on the small built-in corpus, and when that
vouches.

The file maps a dataset's name to ``{"digest": …, "code": {path: code digest}}``; ``python -m harness canary``
writes it and the tests hold it true. The payload behind a digest is the reference
``data/canary/<name>.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from provenance.codehash import digest_today

RECORDS = Path("data/canary.json")
REFERENCES = Path("data/canary")


def records(root: Path) -> dict[str, Any]:
    """All recorded canary runs; empty when the file is missing or no JSON object. Entries of another shape are left
    out: they vouch for nothing."""
    try:
        value = json.loads((root / RECORDS).read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return {name: entry for name, entry in value.items() if _is_record(entry)} if isinstance(value, dict) else {}


def _is_record(entry: Any) -> bool:
    code = entry.get("code") if isinstance(entry, dict) else None
    return isinstance(code, dict) and all(isinstance(digest, str) for digest in code.values())


def fault(root: Path) -> str:
    """What is wrong with the file of the records, in one line; empty when nothing is, or when there is none yet."""
    try:
        value = json.loads((root / RECORDS).read_bytes())
    except FileNotFoundError:
        return ""
    except OSError as error:
        return f"{RECORDS}: {error.strerror}"
    except json.JSONDecodeError as error:
        return f"{RECORDS}:{error.lineno}:{error.colno}: not JSON: {error.msg}"
    except (ValueError, RecursionError) as error:
        return f"{RECORDS}: not JSON: {error}"
    if not isinstance(value, dict):
        return f"{RECORDS}: expected an object of captures, found {type(value).__name__}"
    odd = sorted(name for name, entry in value.items() if not _is_record(entry))
    return f"{RECORDS}: {odd[0]}: expected an object with digest and code" if odd else ""


def outdated(record: Mapping[str, Any], root: Path) -> list[str]:
    """The code files of a recorded run whose code is not today's."""
    return [path for path, digest in record.get("code", {}).items() if digest_today(root / path) != digest]


def current_digest(root: Path, name: str) -> str | None:
    """The canary digest of a capture if it was recorded with exactly today's code, else None."""
    record = records(root).get(name)
    if not record or not record["code"] or outdated(record, root):
        return None
    return str(record.get("digest"))


def objection(dataset: Mapping[str, Any], root: Path, changed: Iterable[str]) -> str | None:
    """Why the canary does not vouch for changed code, or None when it does.

    It vouches when the recorded run was made by exactly today's code, loaded every one of the ``changed``
    files, and ended in the digest that the dataset recorded at capture time. A file that is gone needs no
    more than that: what replaced it is part of today's code.
    """
    record = records(root).get(str(dataset.get("name")))
    if not record or not record["code"]:
        return f"no canary run recorded ({broken})" if (broken := fault(root)) else "no canary run recorded"
    old = outdated(record, root)
    if old:
        return f"canary run is older than {old[0]}"
    unseen = [path for path in changed if path not in record["code"]]
    if unseen:
        return f"the canary does not run {unseen[0]}"
    if not dataset.get("canary") or record.get("digest") != dataset["canary"]:
        return "canary run differs"
    return None
