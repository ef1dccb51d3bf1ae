"""Which rules count, and where: levels by rule, and by rule and path."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Literal

from checks.problems import Level

from .rules import RULES

Setting = Literal["error", "warning", "off"]
_SETTINGS = ("error", "warning", "off")


class ConfigError(ValueError):
    """A configuration that cannot be meant; the text says where and what would be right."""


@dataclass(frozen=True)
class Config:
    """Levels by rule id (or ``*`` for all), then by path glob; the later and more special setting wins.

    ``fragment`` says whether texts are pieces of a page: None decides by looking for doctype and document tags.
    """

    rules: Mapping[str, Setting] = field(default_factory=dict)
    paths: tuple[tuple[str, Mapping[str, Setting]], ...] = ()
    fragment: bool | None = None

    @classmethod
    def from_dict(cls, table: Mapping[str, object]) -> Config:
        """Read ``{"rules": {id: level}, "paths": {glob: {id: level}}, "fragment": bool}``; else ``ConfigError``."""
        unknown = set(table) - {"rules", "paths", "fragment"}
        if unknown:
            raise ConfigError(f"unknown key {sorted(unknown)[0]!r}: expected rules, paths or fragment")
        fragment = table.get("fragment")
        if fragment is not None and not isinstance(fragment, bool):
            raise ConfigError("fragment: expected true or false")
        paths = table.get("paths", {})
        if not isinstance(paths, Mapping):
            raise ConfigError("paths: expected a table of globs")
        return cls(
            _settings(table.get("rules", {}), "rules"),
            tuple((str(glob), _settings(value, f"paths.{glob}")) for glob, value in paths.items()),
            fragment,
        )

    def levels(self, path: str) -> dict[str, Level]:
        """Level of every rule that is on for this path (forward slashes)."""
        levels: dict[str, Setting] = {rule.id: rule.level for rule in RULES.values()}
        _apply(levels, self.rules)
        for glob, settings in self.paths:
            if fnmatchcase(path, glob):
                _apply(levels, settings)
        return {rule: level for rule, level in levels.items() if level != "off"}


def _apply(levels: dict[str, Setting], settings: Mapping[str, Setting]) -> None:
    everything = settings.get("*")
    for rule in levels:
        levels[rule] = settings.get(rule, everything or levels[rule])


def _settings(value: object, where: str) -> dict[str, Setting]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{where}: expected a table of rule = level")
    for rule, level in value.items():
        if rule != "*" and rule not in RULES:
            raise ConfigError(f"{where}: no rule {rule!r}; `python -m checks html --rules` lists them")
        if level not in _SETTINGS:
            raise ConfigError(f"{where}.{rule}: {level!r} is no level; expected error, warning or off")
    return dict(value)
