"""A YAML file that settings of the site stand in, read as nodes: each fault in it is a problem with its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from checks.problems import Problem, Unreadable
from checks.rule import Rule
from checks.texts import read_text


@dataclass(frozen=True)
class Settings:
    """The file ``path``, whose faults go to ``report`` under a rule; ``form`` says how it is written."""

    path: str
    rule: Rule
    form: str
    report: list[Problem]

    def read(self, root: Path) -> yaml.Node | None:
        """The file's one value below the project's root; None where it is absent, empty or cannot be read."""
        file = root / self.path
        try:
            return yaml.compose(read_text(file) if file.is_file() else "", Loader=yaml.SafeLoader)
        except Unreadable as error:
            self.fault(error.problem.line, error.problem.message, error.problem.fix)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            reason = getattr(error, "problem", None) or getattr(error, "reason", "it cannot be read")
            self.fault(mark.line + 1 if mark else 0, f"not YAML: {reason}")
        return None

    def pairs(self, node: yaml.Node | None) -> Iterator[tuple[str, int, yaml.Node]]:
        """Keys with their lines and values; none where there is nothing."""
        if isinstance(node, yaml.MappingNode):
            yield from ((str(key.value), line_of(key), value) for key, value in node.value)
        elif node is not None and not _is_nothing(node):
            self.fault(line_of(node), f"expected keys with values, found a {_kind(node)}")

    def items(self, node: yaml.Node) -> Iterator[yaml.Node]:
        """The entries of a list; none where there is nothing."""
        if isinstance(node, yaml.SequenceNode):
            yield from node.value
        elif not _is_nothing(node):
            self.fault(line_of(node), f"expected a list, found a {_kind(node)}")

    def fault(self, line: int, message: str, fix: str = "") -> None:
        """Report a fault; the remedy is the form of the file unless another is given."""
        column = 1 if line else 0
        self.report.append(Problem(self.path, line, column, self.rule.id, message, fix or self.form, self.rule.level))


def text_of(node: yaml.Node | None) -> str:
    """A word or number as it is written; empty where there is nothing, or something else."""
    return str(node.value) if isinstance(node, yaml.ScalarNode) and not _is_nothing(node) else ""


def line_of(node: yaml.Node) -> int:
    """The line, from 1, that a node begins on."""
    return int(node.start_mark.line) + 1


def _is_nothing(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _kind(node: yaml.Node) -> str:
    return type(node).__name__.removesuffix("Node").lower()
