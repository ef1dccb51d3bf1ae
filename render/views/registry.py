"""Every view there is, in one table: what content may draw, and what the author's reference lists."""

from __future__ import annotations

from render.views import lists, moments, parts
from render.views.chart_view import CHART
from render.views.tables import TABLE
from render.views.view import View

VIEWS: dict[str, View] = {
    view.name: view
    for view in (
        TABLE,
        lists.GRID,
        lists.READOUT,
        parts.BARS,
        CHART,
        parts.STATS,
        parts.SLOTS,
        lists.RANKS,
        parts.EXCERPT,
        parts.ARITHMETIC,
        parts.LEGEND,
        moments.PLAN,
        moments.TIMELINE,
        moments.CURVE,
    )
}
"""The views by the names of their directives."""
