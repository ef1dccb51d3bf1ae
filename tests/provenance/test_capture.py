"""From a capture module to a published dataset and its states, in a repository of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from checks.data import check_datasets
from checks.problems import errors
from provenance.state import dataset_state

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    "provenance", "harness/__init__.py", "harness/__main__.py",
    "harness/errors.py", "harness/paths.py", "harness/capture/canary.py",
    "harness/capture/verify.py", "harness/capture/__init__.py", "harness/capture/api.py",
    "harness/capture/registry.py", "harness/capture/runner.py", "harness/capture/traces.py",
    "harness/capture/block.py", "harness/capture/tables.py",
)  # fmt: skip
HELPER = "harness/fusion.py"
SCRIPT = "harness/experiments/demo/capture.py"
CAPTURE = '''
"""Scores of reciprocal ranks."""

from harness.fusion import score
from harness.capture.api import Capture, Figure, Payload, Run


def capture(run: Run) -> Payload:
    from harness import late  # noqa: F401

    run.record_input("ranks", "data/golden/ranks.json", records=2, licence="MIT")
    ranks = [1, 2] if run.canary else [1, 2, 3]
    rows = [{"rank": rank, "score": score(rank, run.params["k"])} for rank in ranks]
    run.log("scored")
    figures = {"first": Figure(rows[0]["score"], "", "score of the first rank", 4, n=1, at="/result/rows/0/score")}
    return Payload({"rows": rows}, figures)


CAPTURE = Capture("demo", "Demo", "Scores of three ranks.", "measured", capture, {"k": 60}, {"k": 10})
'''


class Checkout:
    """A git repository that holds the real runner and one capture."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for name in COPIED:
            source, target = ROOT / name, root / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, target)
        self.write(HELPER, '"""Fusion."""\n\n\ndef score(rank: int, k: int) -> float:\n    return 1 / (k + rank)\n')
        self.write("harness/late.py", '"""Loaded while the capture runs."""\n')
        self.write(SCRIPT, CAPTURE.lstrip())
        self.write("data/golden/ranks.json", "[1, 2]\n")
        self.write(".gitignore", "__pycache__/\n.cache/\n")
        self.git("init", "-q")
        self.commit()

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def git(self, *arguments: str) -> None:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
        subprocess.run(["git", "-C", str(self.root), *identity, *arguments], capture_output=True, check=True)

    def commit(self) -> None:
        self.git("add", ".")
        self.git("commit", "-qm", "state")

    def python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([sys.executable, *arguments], cwd=self.root, capture_output=True, text=True, check=False)

    def regenerate(self) -> subprocess.CompletedProcess[str]:
        script = "import sys; from harness.capture.runner import regenerate as r; sys.exit(r(['demo'], print))"
        return self.python("-c", script)

    @property
    def dataset(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads((self.root / "data/interactive/demo.json").read_bytes())
        return loaded

    @property
    def state(self) -> str:
        return dataset_state(self.dataset, self.root).name


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_a_capture_becomes_a_dataset_that_the_guard_passes(checkout: Checkout) -> None:
    done = checkout.regenerate()
    assert done.returncode == 0, done.stderr
    assert "demo: hash-checked at build, first capture" in done.stdout
    assert check_datasets(checkout.root) == []
    dataset = checkout.dataset
    code = [entry["path"] for entry in dataset["generated_by"]["code"]]
    assert {SCRIPT, HELPER, "harness/late.py"} <= set(code)
    assert "harness/capture/runner.py" not in code
    assert "harness/capture/canary.py" not in code
    assert dataset["result"]["rows"][0] == {"rank": 1, "score": 0.016393}
    assert dataset["inputs"][0]["bytes"] == 7
    assert "cpu" not in dataset["environment"]
    assert dataset["canary"] == json.loads((checkout.root / "data/canary.json").read_bytes())["demo"]["digest"]


def test_a_change_of_code_that_ran_leaves_a_dataset_fresh_only_where_it_says_the_same(checkout: Checkout) -> None:
    checkout.regenerate()
    checkout.write(HELPER, "# a comment\ndef score(rank: int, k: int) -> float:\n    return 1 / (k + rank)\n")
    assert checkout.state == "fresh"
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return 1 / (rank + k)\n")
    assert checkout.state == "stale"
    assert checkout.python("-m", "harness.capture.canary").stdout.startswith("demo: equal")
    assert checkout.state == "stale"  # an equal run on the small corpus proves too little
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return 2 / (rank + k)\n")
    assert checkout.python("-m", "harness.capture.canary", "--check").returncode == 1
    assert checkout.python("-m", "harness.capture.canary").stdout.startswith("demo: differs, new reference")
    assert checkout.state == "stale"
    assert checkout.python("-m", "harness.capture.canary", "--check").returncode == 0
    checkout.commit()
    assert "different digest" in checkout.regenerate().stdout
    assert errors(check_datasets(checkout.root)) == []


def test_capturing_uncommitted_code_is_written_and_refused(checkout: Checkout) -> None:
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return 3 / (rank + k)\n")
    done = checkout.regenerate()
    assert "dirty, will not be published" in done.stdout
    assert f"dirty: {HELPER} has uncommitted changes" in done.stderr
    assert {problem.rule for problem in errors(check_datasets(checkout.root))} == {"dirty"}
    checkout.commit()
    checkout.regenerate()
    assert errors(check_datasets(checkout.root)) == []


def test_code_that_changes_during_the_capture_makes_it_dirty(checkout: Checkout) -> None:
    late = '"""Loaded while the capture runs."""\nfrom pathlib import Path\n'
    late += 'Path("harness/fusion.py").write_text("def score(rank, k):\\n    return 0\\n")\n'
    checkout.write("harness/late.py", late)
    checkout.commit()
    done = checkout.python("-m", "harness.capture.runner", "demo", "--no-canary")
    assert f"dirty: {HELPER} changed while the capture ran" in done.stderr
    assert checkout.dataset["generated_by"]["dirty"] is True


def test_a_failed_capture_leaves_the_last_dataset(checkout: Checkout) -> None:
    checkout.regenerate()
    before = (checkout.root / "data/interactive/demo.json").read_bytes()
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return float('nan')\n")
    done = checkout.python("-m", "harness.capture.runner", "demo", "--no-canary")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "demo: /result/rows/0/score: nan has no JSON form"
    assert (checkout.root / "data/interactive/demo.json").read_bytes() == before
    assert not list((checkout.root / "data/interactive").glob("*.part"))


def test_running_again_is_compared_and_recorded(checkout: Checkout) -> None:
    checkout.regenerate()
    assert "demo: hash-checked at build" in checkout.python("-m", "harness", "verify").stdout
    done = checkout.python("-m", "harness", "verify", "--rerun", "demo")
    assert done.returncode == 0 and done.stdout.startswith("demo: same digest")
    assert [(item["by"], item["outcome"]) for item in checkout.dataset["verified"]] == [("rerun", "same digest")]
    assert errors(check_datasets(checkout.root)) == []
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return 1 / (rank + k)\n")
    checkout.commit()
    assert checkout.state == "stale"
    assert checkout.python("-m", "harness", "verify", "--rerun", "--oldest", "1").returncode == 0
    assert checkout.state == "fresh"
    checkout.write(HELPER, "def score(rank: int, k: int) -> float:\n    return 2 / (rank + k)\n")
    done = checkout.python("-m", "harness", "verify", "--rerun", "demo")
    assert done.returncode == 1 and "/result/rows/0/score: 0.016393, now 0.032787" in done.stdout
    assert len(checkout.dataset["verified"]) == 3


def test_an_unknown_capture_is_told_with_its_nearest_name(checkout: Checkout) -> None:
    done = checkout.python("-m", "harness.capture.runner", "dema")
    assert done.returncode == 1
    assert done.stderr.strip() == "dema: no such capture; did you mean demo?"


def test_a_capture_removed_takes_its_canary_with_it(checkout: Checkout) -> None:
    checkout.regenerate()
    (checkout.root / SCRIPT).unlink()
    checkout.python("-m", "harness.capture.canary")
    assert json.loads((checkout.root / "data/canary.json").read_bytes()) == {}
    assert not (checkout.root / "data/canary/demo.json").exists()
