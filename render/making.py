"""Making the pages: each a function of what it reads, out of the cache where that is as it was, in parallel."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.pool import Pool
from typing import Any

from render.cache import Cache, digest
from render.pages.renderer import Rendered, Renderer
from render.tracing import Sources, What, traced

Examine = Callable[[Rendered], Any]
"""What is found out about a finished page where it was made, such as what the guards need of it."""


@dataclass(frozen=True)
class Job:
    """A page to make: a function of a module, and what it is given besides the renderer.

    ``about`` tells the arguments apart where they are long (a digest); without it their ``repr`` does.
    """

    make: Callable[..., Rendered]
    args: tuple[Any, ...] = ()
    about: str = ""

    @property
    def name(self) -> str:
        """The name of the page's entry in the cache: one for a function and its first word."""
        return f"{self.make.__module__}.{self.make.__name__} " + "".join(
            map(str, self.args[:1]) if not self.about else ""
        )

    @property
    def arguments(self) -> str:
        """A digest of what the page is given."""
        return self.about or digest(repr(self.args))


@dataclass(frozen=True)
class Made:
    """A page, what was found out about it, and whether it was made now (rather than kept)."""

    page: Rendered
    facts: Any
    fresh: bool = True


@dataclass(frozen=True)
class Maker:
    """What all pages are made with; ``given`` are digests of the rest that they depend on (code, templates)."""

    renderer: Renderer
    sources: Sources
    cache: Cache
    examine: Examine

    def kept(self, job: Job) -> Made | None:
        """The page as an earlier build made it, if it would be made the same."""
        found = self.cache.get(
            job.name, lambda what: job.arguments if what == _ARGUMENTS else self.sources.digest(what)
        )
        return None if found is None else replace(found, fresh=False)

    def make(self, job: Job) -> tuple[dict[What, str], Made]:
        """The page made now, with the marks of what it was made from; kept on disk."""
        reads: set[What] = {(name, "given") for name in self.sources.given}
        library, site = traced(self.renderer.library, self.renderer.site, reads)
        page = job.make(replace(self.renderer, library=library, site=site), *job.args)
        marks = {what: self.sources.digest(what) for what in sorted(reads)} | {_ARGUMENTS: job.arguments}
        made = Made(page, self.examine(page))
        self.cache.put(job.name, marks, made)
        return marks, made


_ARGUMENTS: What = ("arguments", "given")
_SHARED: list[Maker] = []


@contextmanager
def workshop(maker: Maker, jobs: int) -> Iterator[Callable[[Sequence[Job]], list[Made]]]:
    """The function that makes pages, in order; ``jobs`` processes share those that are not kept.

    The processes are forked when first needed: they inherit the maker, and only jobs and finished pages cross.
    """
    pools: list[Pool] = []

    def run(asked: Sequence[Job]) -> list[Made]:
        done = {at: made for at, job in enumerate(asked) if (made := maker.kept(job)) is not None}
        open_ = [at for at in range(len(asked)) if at not in done]
        if not pools and jobs > 1 and len(open_) > 1 and "fork" in multiprocessing.get_all_start_methods():
            _SHARED[:] = [maker]
            pools.append(multiprocessing.get_context("fork").Pool(jobs))
        todo = [asked[at] for at in open_]
        found = _in_parallel(pools[0], maker, todo) if pools and len(open_) > 1 else map(maker.make, todo)
        for at, (marks, made) in zip(open_, found, strict=True):
            maker.cache.remember(asked[at].name, marks, made)
            done[at] = made
        return [done[at] for at in range(len(asked))]

    try:
        yield run
    finally:
        for pool in pools:
            pool.terminate()
        _SHARED.clear()


def _in_parallel(pool: Pool, maker: Maker, jobs: Sequence[Job]) -> Iterator[tuple[dict[What, str], Made]]:
    found = pool.imap(_shared, jobs)
    for job in jobs:
        try:
            yield next(found)
        except Exception:  # crossing between processes it lost its place: the same fault is met again here
            yield maker.make(job)


def _shared(job: Job) -> tuple[dict[What, str], Made]:
    return _SHARED[0].make(job)
