"""A run of the downloader in a process of its own, to be killed: ``python -m harness.experiments.acquisition.child``.

Reads a JSON list of documents (id, url, sha256, bytes) from a file and prints the outcomes as JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.corpus.acquire import HttpSource, acquire
from harness.experiments.acquisition.documents import Doc
from harness.experiments.acquisition.runs import local_client
from harness.paths import ROOT


def start(docs: Sequence[Doc], folder: Path, rate: float, workers: int = 1) -> subprocess.Popen[str]:
    """Starts a run that fetches ``docs`` into the cache ``folder``; its standard output is the outcomes."""
    listed = folder / "wanted.json"
    listed.parent.mkdir(parents=True, exist_ok=True)
    listed.write_text(
        json.dumps([{"id": d.id, "url": d.url, "sha256": d.sha256, "bytes": d.bytes} for d in docs]), "utf-8"
    )
    command = [sys.executable, "-m", __name__, str(listed), str(folder), str(rate), str(workers)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def main(argv: Sequence[str]) -> int:
    """Fetches what the list names; arguments: list, cache, requests a second, workers."""
    listed, folder, rate, workers = argv
    docs = [Doc(**item) for item in json.loads(Path(listed).read_text("utf-8"))]
    outcomes = acquire(docs, Path(folder), HttpSource(local_client(), float(rate)), workers=int(workers))
    print(json.dumps([asdict(outcome) for outcome in outcomes]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
