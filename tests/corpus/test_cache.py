"""The cache of documents: what may enter it, what stands in the way, and runs that meet in it."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from harness.corpus.acquire import MirrorSource, acquire, document_path
from harness.corpus.fetch.place import Wanted, part_path
from harness.errors import HarnessError
from harness.experiments.acquisition.documents import Doc, made

DOCS = [item.at("https://example.org") for item in made(4)]


class Shelf:
    """A source that has every document, but for those it was told to fail on."""

    def __init__(self, faults: dict[str, Exception] | None = None) -> None:
        self.faults = faults or {}
        self.asked: list[str] = []

    def fetch(self, wanted: Wanted, part: Path) -> None:
        self.asked.append(wanted.id)
        if wanted.id in self.faults:
            raise self.faults[wanted.id]
        part.write_bytes(next(item.body for item in DOCS if item.sha256 == wanted.sha256))


def states(cache: Path, source: Shelf | MirrorSource, docs: list[Doc] = DOCS, workers: int = 1) -> list[str]:
    return [outcome.state for outcome in acquire(docs, cache, source, workers=workers)]


@pytest.mark.parametrize("place", [lambda path: path, part_path], ids=["document", "part"])
def test_a_folder_where_a_document_belongs_is_named_and_the_rest_arrives(place, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = place(document_path(tmp_path, DOCS[1].sha256))
    folder.mkdir(parents=True)
    outcomes = acquire(DOCS, tmp_path, Shelf())
    assert [outcome.state for outcome in outcomes] == ["fetched", "refused", "fetched", "fetched"]
    assert f"a folder lies where the document belongs: {folder}; move it away" in outcomes[1].reason


@pytest.mark.parametrize("fault", [HarnessError("gone"), OSError(28, "No space left on device")])
def test_one_failure_never_stops_the_others(fault: Exception, tmp_path: Path) -> None:
    shelf = Shelf({DOCS[0].id: fault})
    outcomes = acquire(DOCS, tmp_path, shelf, workers=2)
    assert [outcome.state for outcome in outcomes] == ["refused", "fetched", "fetched", "fetched"]
    assert str(fault) in outcomes[0].reason


def test_a_bug_keeps_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        acquire(DOCS, tmp_path, Shelf({DOCS[2].id: ZeroDivisionError()}))


def test_the_same_bytes_under_two_names_are_fetched_once(tmp_path: Path) -> None:
    twin = Doc("twin", DOCS[0].url, DOCS[0].sha256, DOCS[0].bytes)
    shelf = Shelf()
    assert states(tmp_path, shelf, [DOCS[0], twin, DOCS[1]], workers=3) == ["fetched", "present", "fetched"]
    assert sorted(shelf.asked) == [DOCS[0].id, DOCS[1].id]


def test_a_file_that_exists_is_not_taken_for_a_document_that_is_complete(tmp_path: Path) -> None:
    states(tmp_path, Shelf())
    path = document_path(tmp_path, DOCS[3].sha256)
    path.write_bytes(path.read_bytes()[:-1])
    shelf = Shelf()
    assert states(tmp_path, shelf) == ["present", "present", "present", "fetched"]
    assert shelf.asked == [DOCS[3].id]


def test_a_second_run_on_the_same_cache_is_refused_while_the_first_goes_on(tmp_path: Path) -> None:
    with (tmp_path / "acquire.lock").open("w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        with pytest.raises(HarnessError, match="another run is fetching into"):
            acquire(DOCS, tmp_path, Shelf())
    assert states(tmp_path, Shelf()) == ["fetched"] * 4


def test_progress_counts_every_document_once(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    acquire(DOCS, tmp_path, Shelf({DOCS[0].id: HarnessError("no")}), lambda done, total: seen.append((done, total)))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/../secret.txt",
        "https://example.org/rfc/../../secret.txt",
        "https://../secret.txt",
        "https://example.org/./rfc.txt",
        "https://example.org/a\0b",
        "file:///etc/passwd",
        "/etc/passwd",
    ],
)
def test_an_address_that_leaves_the_mirror_is_refused(url: str, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_bytes(DOCS[0].body)
    mirror = tmp_path / "mirror"
    (mirror / "example.org" / "rfc").mkdir(parents=True)
    outcome = acquire(
        [Doc("a", url, DOCS[0].sha256, DOCS[0].bytes)], tmp_path / "cache", MirrorSource(mirror)
    )[0]  # fmt: skip
    assert outcome.state == "refused"
    assert "no place inside the mirror" in outcome.reason or "is no URL" in outcome.reason


def test_the_mirrors_path_is_that_of_the_url_letter_by_letter(tmp_path: Path) -> None:
    folder = tmp_path / "raw.example.org" / "a%20b" / "%2e%2e"
    folder.mkdir(parents=True)
    (folder / "c%2Cd.txt").write_bytes(DOCS[0].body)
    url = "https://raw.example.org/a%20b/%2e%2e/c%2Cd.txt"
    assert states(tmp_path / "cache", MirrorSource(tmp_path), [Doc("a", url, DOCS[0].sha256, DOCS[0].bytes)]) == [
        "fetched"
    ]
