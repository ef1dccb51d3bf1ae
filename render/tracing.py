"""What a page reads while it is made, noted as it reads: the page is made again when one of these has changed.

A page is given a library that looks like the whole one and writes down every name it is asked for: an entry of a
mapping, one attribute of a page, whether there is such an entry, which entries there are. What is not asked for does
not count, so a changed paragraph of one page makes no other page again, and a changed title makes those that print it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any, cast

from render.cache import digest
from render.model import Site
from render.reading.library import INDEXES, Library
from render.reading.source import Dataset

What = tuple[str, ...]


class Sources:
    """All that pages are made from in one build, by name; the digest of each is taken once."""

    def __init__(self, library: Library, site: Site, given: Mapping[str, str]) -> None:
        self.objects: dict[str, Any] = {name: getattr(library, name) for name in (*_names(), *INDEXES)}
        self.objects["site"] = site
        self.given = given
        self.known: dict[What, str] = {}

    def digest(self, what: What) -> str:
        """The digest of what is found under a name, a word of its own where there is nothing."""
        if what not in self.known:
            self.known[what] = self._digest(*what)
        return self.known[what]

    def _digest(self, place: str, kind: str, *names: str) -> str:
        if kind == "given":
            return self.given.get(place, "")
        value = self.objects.get(place)
        match kind:
            case "keys":
                return digest(repr(list(cast(Any, value))))
            case "some":
                return str(bool(value))
            case "has":
                return str(names[0] in cast(Any, value))
            case "item":
                value = cast(Any, value).get(names[0])
                if isinstance(value, Dataset):
                    return digest(digest(value.raw) + repr(value.state))
                return digest(repr(value))
            case "of":
                return digest(repr(getattr(cast(Any, value).get(names[0]), names[1], None)))
            case "own":
                return digest(repr(getattr(value, names[0])))
            case _:
                return digest(repr(getattr(value, names[0])(*names[1:])))


def traced(library: Library, site: Site, reads: set[What]) -> tuple[Library, Site]:
    """The library and the site as a page is given them; every name asked for is added to ``reads``."""
    own = {name: _view(name, getattr(library, name), reads) for name in _names()}
    seen = Library(**own)
    for name in INDEXES:
        seen.__dict__[name] = _Entries(name, getattr(library, name), reads)
    return seen, cast(Site, _Attributes(("site", "own"), site, reads))


def _names() -> list[str]:
    return [field.name for field in fields(Library)]


def _view(name: str, value: Any, reads: set[What]) -> Any:
    if isinstance(value, Mapping):
        return _Entries(name, value, reads, parts=name == "pages")
    if isinstance(value, tuple | frozenset):
        return _Whole(name, value, reads)
    return _Attributes((name, "own"), value, reads)


class _Entries(Mapping[str, Any]):
    """A mapping that notes its keys as they are asked for; of pages, the attributes."""

    def __init__(self, name: str, values: Mapping[str, Any], reads: set[What], parts: bool = False) -> None:
        self.name, self.values_, self.reads, self.parts = name, values, reads, parts

    def __getitem__(self, key: str) -> Any:
        if not self.parts or key not in self.values_:
            self.reads.add((self.name, "item", key))
            return self.values_[key]
        self.reads.add((self.name, "has", key))
        return _Attributes((self.name, "of", key), self.values_[key], self.reads)

    def __contains__(self, key: object) -> bool:
        self.reads.add((self.name, "has", str(key)))
        return key in self.values_

    def __iter__(self) -> Iterator[str]:
        self.reads.add((self.name, "keys"))
        return iter(self.values_)

    def __len__(self) -> int:
        self.reads.add((self.name, "keys"))
        return len(self.values_)

    def __bool__(self) -> bool:
        self.reads.add((self.name, "some"))
        return bool(self.values_)


class _Attributes:
    """An object that notes its attributes as they are asked for, and calls of its methods with their arguments."""

    def __init__(self, place: What, value: Any, reads: set[What]) -> None:
        self._place, self._value, self._reads = place, value, reads

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._value, name)
        if not callable(found):
            self._reads.add((*self._place, name))
            return found
        if self._place[1] == "of":  # a page's method reads only the page
            self._reads.add((self._place[0], "item", self._place[2]))
            return found

        def call(*arguments: str) -> Any:
            self._reads.add((self._place[0], "call", name, *arguments))
            return found(*arguments)

        return call


class _Whole:
    """A tuple or set that is read as a whole, or only asked whether it is empty."""

    def __init__(self, name: str, value: Any, reads: set[What]) -> None:
        self._name, self._value, self._reads = name, value, reads

    def __iter__(self) -> Iterator[Any]:
        self._reads.add((self._name, "keys"))
        return iter(self._value)

    def __len__(self) -> int:
        self._reads.add((self._name, "keys"))
        return len(self._value)

    def __contains__(self, item: object) -> bool:
        self._reads.add((self._name, "has", str(item)))
        return item in self._value

    def __bool__(self) -> bool:
        self._reads.add((self._name, "some"))
        return bool(self._value)
