"""Bound numbers: a figure of a dataset as a page prints it, and the link that opens to how it was made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from render.model import FigureRef
from render.numbers import number_text, percent_text, unit_text
from render.reading.library import BOUNDS, dataset_ref
from render.reading.source import Dataset

FORMATS = ("percent", "bare", "unit", "interval")


def figure_ref(dataset: Dataset, name: str) -> FigureRef:
    """A figure with everything its details show."""
    figure = dataset.figures[name]
    digits = figure.get("digits")
    generated = dataset.data.get("generated_by", {})
    caveats = [*dataset.data.get("caveats", ()), *figure.get("caveats", ())]
    return FigureRef(
        ref=f"{dataset.name}.{name}",
        anchor=f"num-{dataset.name}-{name}",
        value=figure["value"],
        text=number_text(figure["value"], digits),
        unit=str(figure.get("unit", "")),
        label=str(figure.get("label", name)),
        n=number_text(figure["n"]) if figure.get("n") is not None else "",
        interval_text=interval_text(figure),
        digits=digits,
        kind=str(dataset.data.get("kind", "measured")),
        command=str(generated.get("regenerate", "")),
        dataset=dataset_ref(dataset),
        url=f"data/{dataset.name}/index.html#fig-{name}",
        volatile=bool(figure.get("volatile", False)),
        caveats=tuple(caveats),
        state_text=dataset.state.text,
        interval=tuple(figure.get("interval") or ()),
    )


def interval_text(figure: Mapping[str, Any]) -> str:
    """The interval as "0.81 to 0.86", empty where the figure has none."""
    interval = figure.get("interval")
    if not interval:
        return ""
    low, high = (number_text(bound, figure.get("digits")) for bound in interval)
    return f"{low} to {high}"


def data_value(value: Any, text: str) -> Markup:
    """``<data value>`` around a printed number; the attribute carries the value unrounded."""
    return Markup('<data value="{}">{}</data>').format(_machine(value), text)


def figure_html(ref: FigureRef, rel: str, how: str = "") -> Markup:
    """The number as a link to its data page. ``how``: "", or one of FORMATS (percent is of a share).

    ``interval`` prints the bounds in place of the number, "[0.81, 0.86]"; the figure must have them. So it must for
    ``low`` and ``high``, one of them with its name, as the basis of a claim shows it.
    """
    if how == "interval" or how in BOUNDS:
        return _interval_html(ref, rel, "" if how == "interval" else how)
    text, unit = ref.text, unit_text(ref.unit)
    attribute = Markup("")
    if how == "percent":
        text, unit = percent_text(ref.value, ref.digits), unit_text("%")
        attribute = Markup(' data-format="percent"')
    elif how == "bare":
        unit = ""
    elif how == "unit" and not unit:
        unit = f" {ref.unit}"
    return Markup('<a class="num num--{}" href="{}" data-num="{}"{}>{}{}</a>').format(
        ref.kind, rel + ref.url, ref.anchor, attribute, data_value(ref.value, text), _unit(unit)
    )


def _interval_html(ref: FigureRef, rel: str, one: str) -> Markup:
    bounds = {
        side: Markup('<data class="{}" value="{}">{}</data>').format(
            side, _machine(bound), number_text(bound, ref.digits)
        )
        for side, bound in zip(BOUNDS, ref.interval, strict=True)
    }
    shown = Markup("{} {}").format(one, bounds[one]) if one else Markup("[{}, {}]").format(*bounds.values())
    return Markup('<a class="num num--{}" href="{}" data-num="{}" data-format="interval">{}</a>').format(
        ref.kind, rel + ref.url, ref.anchor, shown
    )


def param_html(dataset: Dataset, value: Any, rel: str) -> Markup:
    """A parameter of a capture as a link to the parameters on its data page."""
    shown = data_value(value, number_text(value)) if isinstance(value, int | float) else _plain(value)
    href = f"{rel}{dataset_ref(dataset).url}#param-list"
    return Markup('<a class="num num--param" href="{}">{}</a>').format(href, shown)


def _plain(value: Any) -> str:
    return ", ".join(number_text(item) for item in value) if isinstance(value, list) else number_text(value)


def _unit(unit: str) -> Markup:
    return Markup('<span class="unit">{}</span>').format(unit) if unit else Markup("")


def _machine(value: Any) -> str:
    """The value as JSON writes it, so that a reader of the attribute gets the dataset's own number."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, int | float) else str(value)
