"""Reading YAML: plain values, and one kind of error whatever is wrong with the text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import yaml

_Plain: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Plain):  # type: ignore[misc]
    """Tells of a date or number that does not exist as it tells of any other fault: at its place in the text."""


def _told(construct: Callable[[Any, yaml.Node], Any]) -> Callable[[Any, yaml.Node], Any]:
    def constructed(loader: Any, node: yaml.Node) -> Any:
        try:
            return construct(loader, node)
        except ValueError as error:
            raise yaml.constructor.ConstructorError(None, None, f"{node.value}: {error}", node.start_mark) from error

    return constructed


for _kind in ("timestamp", "int", "float"):
    _construct = getattr(yaml.constructor.SafeConstructor, f"construct_yaml_{_kind}")
    _Loader.add_constructor(f"tag:yaml.org,2002:{_kind}", _told(_construct))


def read_yaml(text: str) -> Any:
    """Plain YAML values, through libyaml where it is there (ten times as fast); raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)
