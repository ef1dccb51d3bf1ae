"""Whether a document still holds, by what its publisher says of it: `obsoleted_by` in the metadata of an RFC.

Three states, because silence is not currency: ``superseded`` (a successor is named), ``current`` (the publisher keeps
such metadata and names none) and ``unstated`` (the family of documents carries no such metadata at all).

A successor may have been superseded itself, so :meth:`Register.heirs` follows the chain. A document outside of the
register is the end of its chain: nothing is known of it but its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

State = Literal["current", "superseded", "unstated"]
STATED: frozenset[str] = frozenset({"rfc"})
"""Families whose metadata says by what a document was replaced."""


class Described(Protocol):
    """A document as a manifest names it."""

    @property
    def id(self) -> str:
        """Its id, "rfc8446"."""

    @property
    def source(self) -> str:
        """Its family."""

    @property
    def obsoleted_by(self) -> tuple[str, ...]:
        """The ids of its immediate successors."""


@dataclass(frozen=True)
class Register:
    """The validity of every document that a corpus holds. ``successors``: id → the immediate ones."""

    states: Mapping[str, State]
    successors: Mapping[str, tuple[str, ...]]

    def superseded(self, doc: str) -> bool:
        """Whether a successor of ``doc`` is named."""
        return self.states[doc] == "superseded"

    def heirs(self, doc: str) -> list[str]:
        """Where the chains of successors of ``doc`` end, sorted: documents that hold, or that are not in the register.

        [] for a document that is not superseded. ValueError when a chain runs in a circle.
        """
        ends: set[str] = set()
        self._follow(doc, (), ends)
        return sorted(ends - {doc})

    def _follow(self, doc: str, seen: tuple[str, ...], ends: set[str]) -> None:
        if doc in seen:
            raise ValueError(f"{doc} is among its own successors: {' → '.join((*seen, doc))}")
        after = self.successors.get(doc, ())
        if not after:
            ends.add(doc)
        for successor in after:
            self._follow(successor, (*seen, doc), ends)

    def held(self, docs: Iterable[str]) -> list[str]:
        """Those of ``docs`` that the corpus holds."""
        return [doc for doc in docs if doc in self.states]


def register(entries: Iterable[Described]) -> Register:
    """The register of the documents that ``entries`` name."""
    named = list(entries)
    return Register({e.id: _state(e) for e in named}, {e.id: tuple(e.obsoleted_by) for e in named})


def _state(entry: Described) -> State:
    if entry.obsoleted_by:
        return "superseded"
    return "current" if entry.source in STATED else "unstated"
