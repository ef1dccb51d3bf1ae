"""Acquisition: the checksum decides, a refused document is named, the run goes on."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.__main__ import main
from harness.corpus.acquire import MirrorSource, acquire, document_path
from harness.corpus.manifest import read_manifest
from harness.errors import HarnessError

BODIES = {f"rfc{n}": f"Document {n}\n".encode() * 20 for n in (1, 2, 3)}


def entry(name: str, body: bytes) -> dict[str, object]:
    return {
        "id": name, "source": "rfc", "title": name.upper(), "url": f"https://example.org/rfc/{name}.txt",
        "sha256": hashlib.sha256(body).hexdigest(), "bytes": len(body), "pages": None, "tenant": "one",
        "tenant_name": "Group One", "licence": "test", "obsoletes": [], "obsoleted_by": [],
    }  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> SimpleNamespace:
    folder = tmp_path / "mirror" / "example.org" / "rfc"
    folder.mkdir(parents=True)
    for name, body in BODIES.items():
        (folder / f"{name}.txt").write_bytes(body)
    manifest = tmp_path / "manifest.json"
    manifest.write_text(json.dumps({"documents": [entry(*item) for item in BODIES.items()]}))
    return SimpleNamespace(mirror=tmp_path / "mirror", folder=folder, manifest=manifest, cache=tmp_path / "cache")


def run(project: SimpleNamespace) -> dict[str, str]:
    outcomes = acquire(read_manifest(project.manifest), project.cache, MirrorSource(project.mirror))
    return {outcome.id: outcome.state for outcome in outcomes}


def test_a_second_run_finds_every_document_present(project: SimpleNamespace) -> None:
    assert set(run(project).values()) == {"fetched"}
    assert set(run(project).values()) == {"present"}


@pytest.mark.parametrize(
    ("harm", "reason"),
    [
        (lambda body: body[:-5], "truncated"),
        (lambda body: body + b"x", "longer than expected"),
        (lambda body: body.replace(b"Document 2", b"Document 9"), "checksum mismatch"),
    ],
)
def test_a_truncated_or_altered_document_is_refused_by_name_and_the_rest_arrives(
    project: SimpleNamespace,
    harm: Callable[[bytes], bytes],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = project.folder / "rfc2.txt"
    path.write_bytes(harm(path.read_bytes()))
    monkeypatch.setenv("ZEROTH_CACHE", str(project.cache))
    code = main(["acquire", "--mirror", str(project.mirror), "--manifest", str(project.manifest)])
    printed = capsys.readouterr().out
    assert code == 1
    assert f"refused rfc2: {reason}" in printed
    assert "2 fetched, 0 present, 1 refused" in printed
    assert not document_path(project.cache, hashlib.sha256(BODIES["rfc2"]).hexdigest()).exists()


def test_a_document_damaged_in_the_cache_is_fetched_again(project: SimpleNamespace) -> None:
    run(project)
    path = document_path(project.cache, hashlib.sha256(BODIES["rfc3"]).hexdigest())
    path.write_bytes(b"x" * len(BODIES["rfc3"]))
    assert run(project) == {"rfc1": "present", "rfc2": "present", "rfc3": "fetched"}


def test_a_document_absent_from_the_mirror_is_named_with_its_path(project: SimpleNamespace) -> None:
    (project.folder / "rfc1.txt").unlink()
    outcomes = acquire(read_manifest(project.manifest), project.cache, MirrorSource(project.mirror))
    assert outcomes[0].state == "refused"
    assert "rfc1.txt" in outcomes[0].reason


@pytest.mark.parametrize("field", ["id", "source", "title", "url", "sha256", "bytes", "pages", "tenant", "licence"])
def test_a_manifest_without_a_field_names_file_path_and_expectation(project: SimpleNamespace, field: str) -> None:
    data = json.loads(project.manifest.read_text())
    del data["documents"][1][field]
    project.manifest.write_text(json.dumps(data))
    with pytest.raises(HarnessError) as raised:
        read_manifest(project.manifest)
    assert str(project.manifest) in str(raised.value)
    assert f"documents[1] ({'no id' if field == 'id' else 'rfc2'}).{field}: expected" in str(raised.value)


def test_a_manifest_that_is_not_json_names_the_line(project: SimpleNamespace) -> None:
    project.manifest.write_text('{"documents": [\n oops\n]}')
    with pytest.raises(HarnessError, match=r"manifest\.json:2:"):
        read_manifest(project.manifest)


def test_the_same_id_twice_is_refused(project: SimpleNamespace) -> None:
    data = json.loads(project.manifest.read_text())
    data["documents"][1]["id"] = "rfc1"
    project.manifest.write_text(json.dumps(data))
    with pytest.raises(HarnessError, match="stands twice"):
        read_manifest(project.manifest)


def test_a_path_that_cannot_be_read_is_one_line(project: SimpleNamespace, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["acquire", "--mirror", str(project.mirror), "--manifest", str(project.mirror)]) == 1
    assert f"{str(project.mirror)!r}; see that the path is right" in capsys.readouterr().err
