"""Which rules count, and where: levels by rule, and by rule and path; the other guards of a site use it as well."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import Any, Literal, Protocol

from checks.problems import Level, Problem

from .rules import RULES

Setting = Literal["error", "warning", "off"]
_SETTINGS = ("error", "warning", "off")
PYPROJECT = "pyproject.toml"


class Levelled(Protocol):
    """Anything with a level of its own: a rule of this guard or of another."""

    @property
    def level(self) -> Level:
        """What a breach is unless the settings say otherwise."""


class ConfigError(ValueError):
    """A configuration that cannot be meant; the text says where and what would be right."""


@dataclass(frozen=True)
class Config:
    """Levels by rule id (or ``*`` for all), then by path glob, then ``last``; the later and more special setting wins.

    ``fragment`` says whether texts are pieces of a page: None decides by looking for doctype and document tags.
    """

    rules: Mapping[str, Setting] = field(default_factory=dict)
    paths: tuple[tuple[str, Mapping[str, Setting]], ...] = ()
    fragment: bool | None = None
    last: Mapping[str, Setting] = field(default_factory=dict)

    @classmethod
    def from_dict(
        cls, table: Mapping[str, object], known: Mapping[str, Levelled] = RULES, own: Sequence[str] = ("fragment",)
    ) -> Config:
        """Read ``{"rules": {id: level}, "paths": {glob: {id: level}}, "fragment": bool}``; else ``ConfigError``.

        ``known`` are the rules that may be named, ``own`` the keys that a guard has besides ``rules`` and ``paths``.
        """
        *most, final = ("rules", "paths", *own)
        unknown = set(table) - {*most, final}
        if unknown:
            raise ConfigError(f"unknown key {sorted(unknown)[0]!r}: expected {', '.join(most)} or {final}")
        fragment = table.get("fragment")
        if fragment is not None and not isinstance(fragment, bool):
            raise ConfigError("fragment: expected true or false")
        paths = table.get("paths", {})
        if not isinstance(paths, Mapping):
            raise ConfigError("paths: expected a table of globs")
        return cls(
            _settings(table.get("rules", {}), "rules", known),
            tuple((str(glob), _settings(value, f"paths.{glob}", known)) for glob, value in paths.items()),
            fragment,
        )

    def over(self, settings: Iterable[str], known: Mapping[str, Levelled] = RULES) -> Config:
        """The same below the ``ID=LEVEL`` settings of a command line, which win; else ``ConfigError``."""
        last: dict[str, Setting] = {}
        for setting in settings:
            rule, equals, level = setting.partition("=")
            if not equals:
                raise ConfigError(f"--rule {setting}: expected ID=LEVEL")
            last |= _settings({rule: level}, f"--rule {setting}", known)
        return replace(self, last=last)

    def levels(self, path: str, known: Mapping[str, Levelled] = RULES) -> dict[str, Level]:
        """Level of every rule of ``known`` that is on for this path (forward slashes)."""
        levels: dict[str, Setting] = {name: rule.level for name, rule in known.items()}
        _apply(levels, self.rules)
        for glob, settings in self.paths:
            if fnmatchcase(path, glob):
                _apply(levels, settings)
        _apply(levels, self.last)
        return {rule: level for rule, level in levels.items() if level != "off"}


def read_table(given: str | None, guard: str, folder: Path) -> dict[str, Any]:
    """The settings of one guard: ``[<guard>]`` of the file ``given``, or ``[tool.zeroth-checks.<guard>]`` of a
    pyproject.toml, by default the one in ``folder`` (none there: no settings). Unreadable: ``ConfigError``.
    """
    file = Path(given) if given else folder / PYPROJECT
    if not given and not file.is_file():
        return {}
    try:
        loaded: object = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{file}: {error}") from error
    for key in ("tool", "zeroth-checks", guard) if file.name == PYPROJECT else (guard,):
        loaded = loaded.get(key, {}) if isinstance(loaded, dict) else None
    if not isinstance(loaded, dict):
        raise ConfigError(f"{file}: expected a table {guard}")
    return loaded


def levelled(
    problems: Iterable[Problem], config: Config, known: Mapping[str, Levelled], folder: PurePath
) -> Iterator[Problem]:
    """The problems that count below ``folder``, each at its level there."""
    for problem in problems:
        level = config.levels((folder / problem.path).as_posix(), known).get(problem.rule)
        if level:
            yield replace(problem, level=level)


def _apply(levels: dict[str, Setting], settings: Mapping[str, Setting]) -> None:
    everything = settings.get("*")
    for rule in levels:
        levels[rule] = settings.get(rule, everything or levels[rule])


def _settings(value: object, where: str, known: Mapping[str, Levelled]) -> dict[str, Setting]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where}: expected a table of rule = level")
    for rule, level in value.items():
        if rule != "*" and rule not in known:
            raise ConfigError(f"{where}: no rule {rule!r}; --rules lists them")
        if level not in _SETTINGS:
            raise ConfigError(f"{where}: {rule} is {level!r}; expected error, warning or off")
    return dict(value)
