"""What a capture is: the types that every ``harness/experiments/NAME/capture.py`` declares itself with.

A capture module holds one constant::

    def capture(run: Run) -> Payload: ...

    CAPTURE = Capture(
        name="rrf", title="Reciprocal rank fusion", describes="Fusion of …, over … queries, with k = 60.",
        kind="measured", capture=capture, params={"k": 60}, canary_params={}, minutes=1.0,
    )

It runs in a process of its own (``python -m harness.capture.runner rrf``), so that ``sys.modules`` tells
which code the numbers rest on. A capture touches the clock, the disk and the database only through its
:class:`Run`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from harness.capture.tables import Table

if TYPE_CHECKING:
    from harness.corpus.model import Corpus
    from harness.store import Store

Kind = Literal["measured", "derived", "estimated", "illustrative"]
Available = Literal["repo", "rebuildable", "external"]
JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Determinism:
    """How far two runs of one capture may differ.

    ``exact``: not at all. ``tolerance``: each float ``x`` by at most ``abs + rel * |x|``, everything else not
    at all (what rests on a model: processors differ in the last bits of a matrix product). ``distribution``:
    the payload publishes ``statistic`` over ``runs`` repetitions (HNSW builds); a re-run compares like
    ``tolerance``.
    """

    kind: Literal["exact", "tolerance", "distribution"]
    rel: float = 0.0
    abs: float = 0.0
    runs: int = 0
    statistic: str = ""

    def as_dict(self) -> JsonObject:
        """The block's ``determinism`` object: only the keys that mean something for its kind."""
        if self.kind == "exact":
            return {"kind": "exact"}
        bounds: JsonObject = {"kind": self.kind, "rel": self.rel, "abs": self.abs}
        if self.kind == "tolerance":
            return bounds
        return bounds | {"runs": self.runs, "statistic": self.statistic}


EXACT = Determinism("exact")
MODEL_TOLERANCE = Determinism("tolerance", rel=1e-3, abs=1e-3)


@dataclass(frozen=True)
class Figure:
    """A scalar that prose may cite as ``{fig}`dataset.figure` ``.

    ``unit``: "" for a pure number, else what follows it ("ms", "%", "documents"). ``label``: what the number
    is, a noun phrase. ``digits``: decimals to print. ``n``: how many observations it rests on. ``interval``:
    lower and upper bound (say of what in the label or a caveat). ``at``: JSON pointer into the file
    ("/result/cells/0/recall") where the same value stands; checked at build. ``volatile``: a timing, not
    compared between runs.
    """

    value: float | int | str
    unit: str
    label: str
    digits: int = 0
    n: int | None = None
    interval: tuple[float, float] | None = None
    at: str | None = None
    volatile: bool = False

    def as_dict(self) -> JsonObject:
        """The figure as JSON; keys that say nothing are left out."""
        shown: JsonObject = {
            "value": self.value, "unit": self.unit, "label": self.label, "digits": self.digits,
        }  # fmt: skip
        if self.n is not None:
            shown["n"] = self.n
        if self.interval is not None:
            shown["interval"] = list(self.interval)
        if self.at is not None:
            shown["at"] = self.at
        if self.volatile:
            shown["volatile"] = True
        return shown


@dataclass
class Payload:
    """What a capture returns. ``result`` is deterministic, ``timings`` is not. Prose cites what the tables of the
    capture name; ``figures`` are written one by one where a capture has no tables.

    Values are JSON (numpy scalars and tuples are converted, floats rounded by the runner). Every excerpt of a
    document in ``result`` stands in an object with ``doc``, ``title``, ``url`` and ``licence`` and has at
    most 300 characters.
    """

    result: JsonObject
    figures: dict[str, Figure] = field(default_factory=dict)
    timings: JsonObject = field(default_factory=dict)


@dataclass
class Run:
    """What a capture is given: corpus, parameters, database, and a place to report what else it used.

    ``params`` are ``Capture.params``, on the small corpus overridden by ``canary_params``. The corpus and the
    database are opened on first use, so that a capture that needs neither records neither.
    """

    params: JsonObject
    canary: bool = False
    log: Callable[[str], None] = field(default=lambda message: None)
    load_corpus: Callable[[], Corpus] | None = None
    open_database: Callable[[], Store] | None = None
    inputs: list[JsonObject] = field(default_factory=list)
    models: list[JsonObject] = field(default_factory=list)
    _corpus: Corpus | None = None
    _store: Store | None = None

    @classmethod
    def over(cls, corpus: Corpus, params: Mapping[str, Any] | None = None, canary: bool = True) -> Run:
        """A run over a corpus already at hand, for tests."""
        return cls(params=dict(params or {}), canary=canary, load_corpus=lambda: corpus)

    @property
    def corpus(self) -> Corpus:
        """The corpus: the prepared one, or the small built-in one in a canary run. Loaded on first use."""
        if self._corpus is None:
            if self.load_corpus is None:
                raise RuntimeError("this run was given no corpus")
            self._corpus = self.load_corpus()
        return self._corpus

    @property
    def corpus_used(self) -> Corpus | None:
        """The corpus if the capture touched it."""
        return self._corpus

    def database(self) -> Store:
        """The PostgreSQL store, started on first use; the runner records its versions and closes it."""
        if self._store is None:
            if self.open_database is None:
                raise RuntimeError("this run was given no database")
            self._store = self.open_database()
        return self._store

    @property
    def database_used(self) -> Store | None:
        """The store if the capture touched it."""
        return self._store

    def record_input(
        self,
        name: str,
        uri: str,
        *,
        sha256: str | None = None,
        bytes: int | None = None,
        records: int | None = None,
        licence: str = "",
        available: Available = "repo",
        dataset: str | None = None,
    ) -> None:
        """Notes something the numbers rest on beside the corpus.

        For ``available="repo"`` ``uri`` is a path under the repository; the runner fills in digest and size.
        ``rebuildable`` and ``external`` inputs must state ``sha256``. ``dataset``: name of the dataset this
        input is (key ``from``).
        """
        entry: JsonObject = {
            "name": name, "uri": uri, "sha256": sha256, "bytes": bytes, "records": records,
            "licence": licence, "available": available,
        }  # fmt: skip
        if dataset is not None:
            entry["from"] = dataset
        self.inputs.append(entry)

    def record_model(self, role: str, name: str, sha256: str) -> None:
        """Notes a model: its role ("embedder"), ``name@revision`` and the sha256 of its weights."""
        entry: JsonObject = {"role": role, "name": name, "sha256": sha256}
        if entry not in self.models:
            self.models.append(entry)


@dataclass(frozen=True)
class Capture:
    """One dataset: how it is made and what it says about itself.

    ``describes``: one sentence with what was measured, on which population, under which conditions.
    ``params``: every knob by value, seeds included; ``canary_params`` override them on the small corpus.
    ``caveats``: sentences printed wherever a number of this dataset is printed.
    ``tables``: which values of the result and the timings prose may cite, and by which names.
    ``volatile``: JSON-pointer patterns left out of comparison ("/timings", "/result/cells/*/recall").
    ``minutes``: how long a capture takes on two cores, for ``python -m harness list``. ``corpus``: which one
    it runs on, "rfc" (the first one, with its golden questions) or "full" (three families, 48 tenants or more).
    """

    name: str
    title: str
    describes: str
    kind: Kind
    capture: Callable[[Run], Payload]
    params: JsonObject = field(default_factory=dict)
    canary_params: JsonObject = field(default_factory=dict)
    caveats: Sequence[str] = ()
    determinism: Determinism = EXACT
    tables: Sequence[Table] = ()
    volatile: Sequence[str] = ("/timings",)
    minutes: float = 1.0
    corpus: Literal["rfc", "full"] = "rfc"
