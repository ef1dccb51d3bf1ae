"""Every cell in every way, over several builds of the indexes: the frame of most captures that search through SQL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from harness.measuring.intervals import Row
from harness.measuring.loop import Place, Task, exact_results, take
from harness.measuring.readings import Readings
from harness.measuring.trials import Trial
from harness.measuring.ways import Way
from harness.store.layouts import Built, Layout, Sizes
from harness.store.layouts.base import Reader
from harness.store.scans import Hit

Log = Callable[[str], None]


@dataclass(frozen=True)
class Group:
    """Askings that are summed up together, with what they share."""

    label: str
    askings: Sequence[Trial]
    task: Task


@dataclass(frozen=True)
class Made:
    """A layout as it was made, and for each build of its vector indexes the seconds and the bytes."""

    built: Built
    seconds: list[float]
    sizes: list[Sizes]


class Sweep:
    """Groups, ways and a number of builds; `truths` and `taken` hold a list, or readings by way, for each group."""

    def __init__(self, groups: Sequence[Group], ways: Sequence[Way], builds: int, log: Log) -> None:
        self.groups, self.ways, self.builds, self.log = groups, ways, builds, log
        self.truths: list[list[list[Hit]]] = []
        self.taken = [
            {way: Readings(1 if way.once else builds, len(group.askings)) for way in ways} for group in groups
        ]

    def prepare(self, place: Place) -> None:
        """Search exactly for every asking; what readings are held against."""
        self.log(f"{place.layout.name}: exact search")
        self.truths = [exact_results(place, group.askings, group.task) for group in self.groups]

    def read(self, place: Place, build: int, ways: Iterable[Way] | None = None) -> None:
        """Read every group in the ways named (all by default); those of one build only in the last."""
        chosen = list(self.ways if ways is None else ways)
        for group, truth, taken in zip(self.groups, self.truths, self.taken, strict=True):
            self.log(f"{place.layout.name}, build {build + 1} of {self.builds}: {group.label}")
            for once, number in ((False, build), (True, 0)):
                into = {way: taken[way] for way in chosen if way.once == once}
                if into and (not once or build == self.builds - 1):
                    take(place, group.askings, group.task, truth, into, number)

    def rows(self, params: Mapping[str, Any]) -> list[Row]:
        """Return a row for each group and way: `cell`, `way`, `n` and `measured`."""
        return [
            {"cell": group.label, "way": way.id, "n": len(group.askings), "measured": readings.quality(params)}
            for group, taken in zip(self.groups, self.taken, strict=True)
            for way, readings in taken.items()
        ]

    def times(self) -> list[Row]:
        """Return a row for each group and way: `cell`, `way`, and n and percentiles of milliseconds."""
        return [
            {"cell": group.label, "way": way.id, **readings.latency()}
            for group, taken in zip(self.groups, self.taken, strict=True)
            for way, readings in taken.items()
        ]


@contextmanager
def swept(layout: Layout, readers: Sequence[Reader], sweep: Sweep) -> Iterator[tuple[Place, Made]]:
    """Make a layout, read the sweep over all builds, and yield the place as the last build left it; drop it after."""
    built = layout.create(readers, sweep.log)
    made = Made(built, [built.index_seconds], [layout.sizes()])
    try:
        with layout.connect() as conn:
            place = Place(layout, conn)
            sweep.prepare(place)
            for build in range(sweep.builds):
                if build:
                    made.seconds.append(layout.rebuild(sweep.log))
                    made.sizes.append(layout.sizes())
                sweep.read(place, build)
            yield place, made
    finally:
        layout.drop()
