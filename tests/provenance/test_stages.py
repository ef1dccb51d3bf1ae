"""Datasets rest on what the stages gave, not on the code that gave it, and on the code that ran after them."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.capture.canary_corpus import canary_corpus
from harness.corpus import stages as made
from harness.corpus.model import Corpus, Document
from harness.paths import ROOT
from provenance import stages
from provenance.captures import capture_files
from provenance.codehash import file_digest
from provenance.imports import closure
from provenance.recorders import RECORDERS, records_only
from provenance.state import State, dataset_state, read_dataset
from tests.provenance.sample_repo import HELPER, Repo

PARSER = "harness/corpus/rfc.py"


@pytest.fixture
def prepared(repo: Repo) -> Repo:
    """A repository whose dataset read the chunks of a corpus that a parser and a manifest made."""
    repo.write(PARSER, "PAGE = 58\n")
    repo.write("data/corpus/manifest.json", "[1]\n")
    record(repo, "a" * 64)
    entry = {"corpus": "rfc", "name": "chunks", "digest": "a" * 64, "records": 3}
    repo.changed(lambda d: d.update(provenance_version=2, stages=[entry]))
    return repo


def record(repo: Repo, digest: str) -> None:
    value = {
        "rfc": {
            "outputs": {"chunks": {"digest": digest, "records": 3}},
            "code": {PARSER: file_digest(repo.root / PARSER)},
            "inputs": {"data/corpus/manifest.json": file_digest(repo.root / "data/corpus/manifest.json")},
        }
    }
    repo.write(stages.RECORD.as_posix(), json.dumps(value))


def state(repo: Repo) -> State:
    return dataset_state(read_dataset(repo.root, "demo"), repo.root)


def reasons(repo: Repo) -> tuple[str, ...]:
    return state(repo).reasons


def test_a_dataset_is_fresh_while_the_stages_give_what_it_read(prepared: Repo) -> None:
    assert reasons(prepared) == ()


def test_a_parser_that_gives_the_same_leaves_datasets_fresh_once_the_stages_are_made_again(prepared: Repo) -> None:
    prepared.write(PARSER, "PAGE = 29 + 29\n")
    (said,) = reasons(prepared)
    assert said == f"stage not made again since {PARSER} changed: chunks of the corpus rfc"
    assert stages.remedy(said) == "python -m harness prepare --corpus rfc --no-database"
    record(prepared, "a" * 64)
    assert reasons(prepared) == ()


def test_a_docstring_of_a_parser_changes_nothing(prepared: Repo) -> None:
    prepared.write(PARSER, '"""Pages end at a form feed."""\n\nPAGE = 58  # lines\n')
    assert reasons(prepared) == ()


def test_a_parser_that_gives_something_else_makes_what_read_it_stale(prepared: Repo) -> None:
    prepared.write(PARSER, "PAGE = 60\n")
    record(prepared, "b" * 64)
    (said,) = reasons(prepared)
    assert said == "stage changed: chunks of the corpus rfc" and stages.remedy(said) == ""


def test_a_manifest_counts_through_the_stages_made_from_it(prepared: Repo) -> None:
    prepared.write("data/corpus/manifest.json", "[1, 2]\n")
    assert reasons(prepared) == (
        "stage not made again since data/corpus/manifest.json changed: chunks of the corpus rfc",
    )


def test_a_corpus_that_was_never_recorded_is_a_reason(prepared: Repo) -> None:
    (prepared.root / stages.RECORD).unlink()
    (said,) = reasons(prepared)
    assert said.startswith("stage unknown: chunks of the corpus rfc") and stages.remedy(said)


def test_code_that_ran_after_the_stages_is_never_excused(prepared: Repo) -> None:
    prepared.write(HELPER, "VALUE = 999\n")
    prepared.record_canary("c" * 64, {HELPER: file_digest(prepared.root / HELPER)})
    assert state(prepared).name == "stale" and reasons(prepared) == (f"code changed: {HELPER}",)


# -- the outputs ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small() -> Corpus:
    return canary_corpus()


def again(corpus: Corpus, edit: Callable[[Document], Document] = lambda document: document) -> Corpus:
    documents = [edit(document) for document in corpus.documents.values()]
    return Corpus(
        corpus.name, documents, corpus.chunks, corpus.queries, lambda texts: corpus.vectors(), (), corpus.models
    )


@pytest.mark.model
def test_outputs_are_the_same_for_the_same_material_and_differ_where_it_does(small: Corpus) -> None:
    every = ("documents", "chunks", "vectors", "questions")
    first = made.outputs(small, every)
    assert made.outputs(again(small), every) == first
    renamed = made.outputs(again(small, lambda document: replace(document, licence="another")), every)
    assert [name for name in every if renamed[name]["digest"] != first[name]["digest"]] == ["documents"]


@pytest.mark.model
def test_vectors_of_another_processor_count_as_the_same_within_the_tolerance(small: Corpus, tmp_path: Path) -> None:
    found = made.outputs(small, ["vectors"])
    (tmp_path / stages.RECORD).parent.mkdir(parents=True)

    def recorded(shift: float) -> dict[str, Any]:
        moved = [[value + shift for value in row] for row in found["vectors"]["sample"]]
        known = {**found["vectors"], "sample": moved, "digest": "a" * 64}
        (tmp_path / stages.RECORD).write_text(json.dumps({small.name: {"outputs": {"vectors": known}}}))
        return made.settled(found, small.name, tmp_path)["vectors"]

    assert recorded(made.TOLERANCE / 2)["digest"] == "a" * 64
    assert recorded(made.TOLERANCE * 2)["digest"] == found["vectors"]["digest"]


@pytest.mark.model
def test_a_corpus_remembers_which_outputs_were_read(small: Corpus) -> None:
    fresh = again(small)
    assert fresh.read == set()
    assert fresh.queries and fresh.vectors() is not None
    assert fresh.read == {"questions", "vectors"}
    assert {entry["name"] for entry in made.entries(fresh)} == {"questions", "vectors"}


# -- which code counts ------------------------------------------------------------------------------------------


def test_imports_are_followed_where_python_would_execute_them(tmp_path: Path) -> None:
    (tmp_path / "harness/part").mkdir(parents=True)
    (tmp_path / "harness/__init__.py").write_text("")
    (tmp_path / "harness/part/__init__.py").write_text("")
    (tmp_path / "harness/part/b.py").write_text("def f():\n    import harness.c\n")
    (tmp_path / "harness/c.py").write_text("X = 1\n")
    (tmp_path / "harness/d.py").write_text("")
    (tmp_path / "harness/a.py").write_text(
        "from typing import TYPE_CHECKING\nfrom .part import b\nif TYPE_CHECKING:\n    import harness.d\n"
    )
    found = closure(tmp_path, ["harness/a.py"])
    names = ("a", "part/__init__", "part/b", "c", "__init__")
    assert found == {f"harness/{name}.py" for name in names}


@pytest.mark.parametrize("pattern", RECORDERS)
def test_every_recorder_exists_and_computes_nothing(pattern: str) -> None:
    files = sorted(ROOT.glob(pattern))
    assert files
    for file in files:
        path = file.relative_to(ROOT).as_posix()
        assert records_only(path)
        if path not in COUNTED:
            lower = {one for one in closure(ROOT, [path]) if one.startswith(("harness/retrieval", "harness/measuring"))}
            assert lower == set(), path


COUNTED = {
    "harness/corpus/stages.py",  # takes digests of what the stages gave
    "harness/capture/canary_corpus.py",  # the small corpus of the tests
    "harness/capture/canary.py",
    "harness/capture/runner.py",  # opens corpus and database for a capture
    "harness/capture/verify.py",
}


def test_a_capture_counts_what_it_imports_even_of_the_stages() -> None:
    stage = closure(ROOT, [stages.ENTRY])
    assert "harness/corpus/rfc.py" in stage
    script = {name: path.as_posix() for name, path in capture_files(ROOT).items()}
    assert "harness/chunking/fixed.py" in closure(ROOT, [script["chunking"]])
    assert "harness/chunking/fixed.py" not in closure(ROOT, [script["ann_postfilter"]])
    assert "harness/store/load.py" in closure(ROOT, [script["ann_postfilter"]])
