"""Documents by manifest, from their public URLs or from a mirror folder; the checksum decides either way.

Each document stands alone: a failure is reported by name and the run goes on. A body grows in ``.part``, is
checked for length and sha256, and only then renamed, so the cache never holds a document that is not whole.
A run that was killed leaves whole documents and parts; the next one keeps the former and goes on from the latter.
"""

from __future__ import annotations

import fcntl
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from harness.corpus.fetch.answers import Postponed
from harness.corpus.fetch.http import HttpSource
from harness.corpus.fetch.mirror import MirrorSource
from harness.corpus.fetch.place import Wanted, document_path, fault_of, part_path, size_of
from harness.errors import HarnessError

__all__ = ["HttpSource", "MirrorSource", "Outcome", "Source", "acquire", "document_path"]

WORKERS = 4
"""Documents under way at a time; the ceiling on requests is the source's, whatever their number."""
Progress = Callable[[int, int], None]


class Source(Protocol):
    """Where bytes come from."""

    def fetch(self, wanted: Wanted, part: Path) -> None:
        """Fills the file ``part``, which may hold the beginning already.

        Raises HarnessError when the document cannot be had, Postponed when it can be had later.
        """
        ...


@dataclass(frozen=True)
class Outcome:
    """What happened to one document, with the reason where it is not in the cache now.

    ``present``: it was whole already. ``fetched``. ``refused``: not to be had, or not what the manifest says.
    ``postponed``: its host answers no more for now; the next run asks again.
    """

    id: str
    state: Literal["present", "fetched", "refused", "postponed"]
    reason: str = ""


def acquire(
    entries: Iterable[Wanted],
    cache: Path,
    source: Source,
    progress: Progress = lambda done, total: None,
    workers: int = WORKERS,
) -> list[Outcome]:
    """Brings every document of ``entries`` into the cache; one outcome each, in order.

    HarnessError when another run is filling the same cache.
    """
    wanted = list(entries)
    first: dict[str, int] = {}
    for index, entry in enumerate(wanted):
        first.setdefault(entry.sha256, index)
    outcomes: dict[int, Outcome] = {}

    def done(index: int, outcome: Outcome) -> None:
        outcomes[index] = outcome
        progress(len(outcomes), len(wanted))

    with _alone(cache):
        _in_parallel(
            lambda index: _acquire_one(wanted[index], document_path(cache, wanted[index].sha256), source),
            sorted(first.values()),
            done,
            workers,
        )
        for index in range(len(wanted)):
            if index not in outcomes:  # the same bytes under another name: they are there by now
                done(index, _acquire_one(wanted[index], document_path(cache, wanted[index].sha256), source))
    return [outcomes[index] for index in range(len(wanted))]


def _acquire_one(entry: Wanted, path: Path, source: Source) -> Outcome:
    try:
        return _bring(entry, path, source)
    except Postponed as error:
        return Outcome(entry.id, "postponed", str(error))
    except (HarnessError, OSError) as error:
        return Outcome(entry.id, "refused", str(error))


def _bring(entry: Wanted, path: Path, source: Source) -> Outcome:
    part = part_path(path)
    for place in (path, part):
        if place.is_dir():
            raise HarnessError(f"a folder lies where the document belongs: {place}; move it away")
    if path.exists() and not fault_of(path, entry):
        return Outcome(entry.id, "present")
    path.parent.mkdir(parents=True, exist_ok=True)
    begun = size_of(part)
    if begun != entry.bytes or fault_of(part, entry):
        source.fetch(entry, part)
        if begun and fault_of(part, entry):  # the old beginning may belong to other bytes
            part.unlink()
            source.fetch(entry, part)
    if fault := fault_of(part, entry):
        part.unlink(missing_ok=True)
        raise HarnessError(fault)
    os.replace(part, path)
    return Outcome(entry.id, "fetched")


def _in_parallel(
    work: Callable[[int], Outcome], items: Sequence[int], done: Callable[[int, Outcome], None], workers: int
) -> None:
    """Runs ``work`` over ``items`` in order of the list, ``workers`` at a time; ``done`` runs in this thread.

    The threads are daemons: an interrupt ends the program at once instead of after the longest wait.
    """
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    finished: queue.SimpleQueue[tuple[int, Outcome | BaseException]] = queue.SimpleQueue()
    for item in items:
        waiting.put(item)

    def run() -> None:
        while True:
            try:
                item = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                finished.put((item, work(item)))
            except BaseException as error:  # a bug, raised where its traceback is seen
                finished.put((item, error))

    for _ in range(min(workers, len(items))):
        threading.Thread(target=run, daemon=True).start()
    for _ in items:
        item, outcome = finished.get()
        if isinstance(outcome, BaseException):
            raise outcome
        done(item, outcome)


@contextmanager
def _alone(cache: Path) -> Iterator[None]:
    """Two runs would write to the same parts; the lock goes with the process, however it ends."""
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "acquire.lock").open("w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise HarnessError(f"another run is fetching into {cache}; wait for it to end") from error
        yield
