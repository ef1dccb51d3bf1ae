"""The page of a dataset: figures, tables drawn from its result, how it was made; and the files beside it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from render.model import DatasetPage, DataTable, PageRef
from render.numbers import number_text
from render.pages.cited_tables import cited_tables, listed_figures
from render.pages.jsonld import script_json
from render.pages.renderer import Rendered, Renderer
from render.reading.library import dataset_ref
from render.reading.source import Dataset
from render.views.rows import columns_of, heading, is_scalar, left_out, rows_of
from render.views.tables import is_number

MOST_ROWS = 40
MOST_COLUMNS = 12
MOST_TABLES = 12
LONGEST_CELL = 160
DEEPEST = 4


def dataset_page(renderer: Renderer, name: str, used_by: tuple[PageRef, ...]) -> Rendered:
    """The page of the dataset ``name``."""
    dataset = renderer.library.datasets[name]
    path = f"data/{name}/index.html"
    page = _page(dataset, used_by, renderer.base_url)
    text = renderer.page(
        "dataset.html.j2", path, kind="dataset", title=page.title, description=page.describes, data=page
    )
    return Rendered(path, text)


def figures_csv(dataset: Dataset) -> str:
    """The figures as CSV: name, label, value unrounded, unit, n, interval, whether it varies from run to run."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["figure", "label", "value", "unit", "n", "low", "high", "volatile"])
    for name, figure in dataset.figures.items():
        low, high = figure.get("interval") or ("", "")
        volatile = "yes" if figure.get("volatile") else "no"
        value, unit, n = figure["value"], figure.get("unit", ""), figure.get("n", "")
        writer.writerow([name, figure.get("label", name), value, unit, n, low, high, volatile])
    return out.getvalue()


def _page(dataset: Dataset, used_by: tuple[PageRef, ...], base_url: str) -> DatasetPage:
    data, ref = dataset.data, dataset_ref(dataset)
    generated = data.get("generated_by", {})
    return DatasetPage(
        name=ref.name,
        title=ref.title,
        describes=ref.describes,
        url=ref.url,
        kind=ref.kind,
        state=ref.state,
        state_text=ref.state_text,
        reasons=tuple(dataset.state.reasons),
        caveats=tuple(data.get("caveats", ())),
        figures=listed_figures(dataset),
        cited=cited_tables(dataset),
        tables=tables_of(dataset),
        command=str(generated.get("regenerate", "")),
        script=str(generated.get("script", "")),
        commit=str(generated.get("commit", "")),
        code=_code(dataset),
        inputs=tuple(_input(entry) for entry in data.get("inputs", ())),
        models=tuple(data.get("models", ())),
        params=tuple(_pairs(dataset.params)),
        environment=tuple(_pairs(data.get("environment", {}))),
        run=tuple(_pairs(data.get("run", {}))),
        determinism=_determinism(data.get("determinism", {})),
        digest=str(data.get("digest", "")),
        integrity=str(data.get("integrity", "")),
        canary=str(data.get("canary") or ""),
        verified=tuple(data.get("verified", ())),
        cite=_cite(dataset),
        used_by=used_by,
        json_url=ref.json_url,
        csv_url=f"data/{ref.name}/figures.csv",
        size_text=ref.size_text,
        jsonld=_jsonld(dataset, base_url),
    )


def tables_of(dataset: Dataset) -> tuple[DataTable, ...]:
    """The tables of ``result`` (then ``timings``) whose values have no names, in the order of the file, at most
    MOST_TABLES."""
    found: list[DataTable] = []
    cited = {table["rows"] for table in dataset.data.get("tables", ())}
    for part in ("result", "timings"):
        for pointer, value in _tables_below(dataset.data.get(part), (part,)):
            if len(found) < MOST_TABLES and "/" + "/".join(pointer) not in cited:
                found.append(_table(pointer, value))
    return tuple(found)


def _tables_below(value: Any, pointer: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], Any]]:
    """Every value that reads as a table, without looking for more tables inside one."""
    rows = rows_of(value)
    if rows is not None and any(len(row) > 1 for row in rows):
        yield pointer, value
    elif isinstance(value, Mapping) and len(pointer) < DEEPEST:
        scalars = {key: item for key, item in value.items() if is_scalar(item)}
        if scalars:
            yield pointer, scalars
        for key, item in value.items():
            yield from _tables_below(item, (*pointer, key))


def _table(pointer: tuple[str, ...], value: Any) -> DataTable:
    rows = rows_of(value) or []
    every = columns_of(rows)
    columns = every[:MOST_COLUMNS]
    numeric = tuple(any(is_number(row.get(column)) for row in rows) for column in columns)
    notes = []
    if len(rows) > MOST_ROWS:
        notes.append(f"The first {MOST_ROWS} of {number_text(len(rows))} rows.")
    missing = [*every[MOST_COLUMNS:], *left_out(value)]
    if missing:
        notes.append(f"Not shown: {', '.join(heading(name) for name in missing)}.")
    if notes:
        notes.append("The JSON holds everything.")
    return DataTable(
        id="-".join(pointer).replace("/", "-").replace(" ", "-"),
        title=": ".join(heading(part) for part in (pointer[1:] or pointer)),
        columns=tuple(heading(column) for column in columns),
        rows=tuple(tuple(_cell(row.get(column, "")) for column in columns) for row in rows[:MOST_ROWS]),
        note=" ".join(notes),
        numeric=numeric,
    )


def _cell(value: Any) -> str:
    text = "–" if value is None else number_text(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1].rstrip() + "…"


def _pairs(values: Mapping[str, Any], prefix: str = "") -> Iterable[tuple[str, str]]:
    """Nested settings as (dotted key, text)."""
    for key, value in values.items():
        if isinstance(value, Mapping) and value:
            yield from _pairs(value, f"{prefix}{key}.")
        elif isinstance(value, list):
            shown = [number_text(item) if is_scalar(item) else json.dumps(item, sort_keys=True) for item in value]
            yield prefix + key, ", ".join(shown)
        else:
            yield prefix + key, number_text(value) if is_scalar(value) else json.dumps(value)


def _code(dataset: Dataset) -> tuple[dict[str, str], ...]:
    """The modules that ran; one that differs today says so."""
    changed = {reason.rpartition(": ")[2]: reason.partition(":")[0] for reason in dataset.state.reasons}
    return tuple(
        {"path": entry["path"], "sha256": entry["sha256"], "state": changed.get(entry["path"], "")}
        for entry in dataset.data.get("generated_by", {}).get("code", ())
    )


def _input(entry: Mapping[str, Any]) -> dict[str, Any]:
    filled = {"name": "", "uri": "", "sha256": "", "licence": "", "available": "", **entry}
    filled["records"] = number_text(entry["records"]) if entry.get("records") is not None else ""
    return filled


def _determinism(block: Mapping[str, Any]) -> str:
    kind = block.get("kind", "")
    if kind == "exact":
        return "nothing but the timings"
    if kind == "tolerance":
        bounds = [f"{name} {block[name]}" for name in ("rel", "abs") if name in block]
        return f"numbers within a tolerance ({', '.join(bounds)})" if bounds else "numbers within a tolerance"
    if kind == "distribution":
        runs, statistic = block.get("runs", "several"), block.get("statistic", "their spread")
        return f"single runs; published is the {statistic} of {runs} runs"
    return "not stated"


def _cite(dataset: Dataset) -> str:
    data = dataset.data
    day = str(data.get("run", {}).get("started", ""))[:10]
    year = f" ({day[:4]})" if day else ""
    captured = f" Captured {day}." if day else ""
    return (
        f"Zeroth{year}. {data.get('title', dataset.name)} [dataset {dataset.name}].{captured} "
        f"SHA-256 of the result {str(data.get('digest', '')).removeprefix('sha256:')[:16]}."
    )


def _variables(dataset: Dataset) -> list[dict[str, Any]]:
    """What was measured: figures that stand alone with their values, and the columns of tables."""
    alone = [
        {"name": name, "description": figure.get("label", name), "value": figure["value"]}
        | {"unitText": figure.get("unit", "")}
        for name, figure in dataset.data.get("figures", {}).items()
    ]
    columns = [
        {"name": column.name, "description": column.label, "unitText": column.unit}
        for table in cited_tables(dataset)
        for column in table.columns
    ]
    return [{"@type": "PropertyValue", **one} for one in [*alone, *columns]]


def _jsonld(dataset: Dataset, base_url: str) -> Markup:
    """schema.org Dataset with the Croissant fields that apply."""
    data, ref = dataset.data, dataset_ref(dataset)
    day = str(data.get("run", {}).get("started", ""))[:10]
    record: dict[str, Any] = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": ref.title,
        "identifier": ref.name,
        "description": ref.describes,
        "isAccessibleForFree": True,
        "measurementTechnique": data.get("generated_by", {}).get("regenerate", ""),
        "variableMeasured": _variables(dataset),
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": place}
            for kind, place in (
                ("application/json", f"{base_url}{ref.json_url}" if base_url else f"{ref.name}.json"),
                ("text/csv", f"{base_url}data/{ref.name}/figures.csv" if base_url else "figures.csv"),
            )
        ],
    }
    if day:
        record["dateCreated"] = day
    if base_url:
        record["url"] = f"{base_url}data/{ref.name}/"
    return script_json(record)
