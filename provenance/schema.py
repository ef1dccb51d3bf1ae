"""The JSON Schema of a dataset file, and violations of it in words: path and expectation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from provenance.canonical import escape

SCHEMA_PATH = Path(__file__).with_name("block.schema.json")

_EXPECTED = {
    "type": "expected {value}",
    "const": "expected {value}",
    "enum": "expected one of {value}",
    "pattern": "expected text matching {value}",
    "minLength": "expected text of at least {value} characters",
    "minItems": "expected at least {value} items",
    "maxItems": "expected at most {value} items",
    "minimum": "expected at least {value}",
    "maximum": "expected at most {value}",
    "additionalProperties": "expected no such key",
}


@dataclass(frozen=True)
class Violation:
    """One place where a dataset breaks the schema: JSON pointer, and what was found and expected."""

    pointer: str
    message: str

    def __str__(self) -> str:
        return f"{self.pointer or '/'}: {self.message}"


def load_schema() -> dict[str, Any]:
    """The schema as parsed JSON."""
    schema: dict[str, Any] = json.loads(SCHEMA_PATH.read_bytes())
    return schema


def violations(dataset: Any) -> list[Violation]:
    """Every violation of the schema by a parsed dataset file, in order of their paths."""
    found: list[Violation] = []
    for error in _validator().iter_errors(dataset):
        found.extend(_explain(error))
    return sorted(set(found), key=lambda item: (item.pointer, item.message))


@lru_cache(maxsize=1)
def _validator() -> Draft202012Validator:
    return Draft202012Validator(load_schema())


def _explain(error: ValidationError) -> list[Violation]:
    pointer = "".join(f"/{escape(str(part))}" for part in error.absolute_path)
    if error.validator == "required":
        present = error.instance if isinstance(error.instance, Mapping) else {}
        missing = [key for key in _strings(error.validator_value) if key not in present]
        return [Violation(f"{pointer}/{key}", "missing") for key in missing]
    if error.validator == "additionalProperties" and isinstance(error.instance, Mapping):
        known = error.schema.get("properties", {}) if isinstance(error.schema, Mapping) else {}
        unknown = [key for key in error.instance if key not in known]
        known_text = ", ".join(sorted(known))
        return [Violation(f"{pointer}/{escape(key)}", f"unknown key; known: {known_text}") for key in unknown]
    if error.validator in ("anyOf", "oneOf") and error.context:
        inner = best_match(error.context)
        if inner is not None and inner.validator not in ("anyOf", "oneOf"):
            return _explain(inner)
    if error.validator == "propertyNames" or "propertyNames" in error.absolute_schema_path:
        return [Violation(f"{pointer}/{escape(str(error.instance))}", "expected a lower-case snake_case key")]
    template = _EXPECTED.get(str(error.validator))
    if template is None:
        return [Violation(pointer, error.message)]
    expected = template.format(value=_words(error.validator_value))
    return [Violation(pointer, f"found {_shown(error.instance)}, {expected}")]


def _strings(value: Any) -> list[str]:
    return [str(item) for item in value]


def _words(value: Any) -> str:
    if isinstance(value, list):
        return " or ".join(str(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else text[:57] + "…"
