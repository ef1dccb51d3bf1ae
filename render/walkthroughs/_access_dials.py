"""Reader and length of the candidate list over their captured grid: dataset ``authorized_retrieval``."""

from __future__ import annotations

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import sweep
from render.views.kit import Bar, bars, data, mark, stats
from render.views.walkthrough import Dial, Step, Walkthrough
from render.walkthroughs._access_rows import Row, reading, who


def _cells(dataset: Dataset) -> list[str]:
    """Cells by mode, smallest reader first."""
    cells = dataset.at("/result/cells")
    modes = list(dict.fromkeys(cell["mode"] for cell in cells))
    return [str(cell["cell"]) for mode in modes for cell in cells if cell["mode"] == mode]


def _ways(dataset: Dataset) -> list[tuple[str, str]]:
    """Way and its words, shortest list first."""
    named = [("plain", f"fixed {dataset.params['ef_search']}")]
    return named + [(f"fetch{factor:g}", f"{factor:g} × k / share") for factor in dataset.params["factors"]]


def _dials(dataset: Dataset) -> tuple[Dial, ...]:
    return (
        Dial("reader and question", tuple(who(cell) for cell in _cells(dataset))),
        Dial("candidates", tuple(words for _, words in _ways(dataset))),
    )


def _steps(dataset: Dataset) -> list[Step]:
    return sweep.grid(_cells(dataset), _ways(dataset), lambda cell, way: _setting(dataset, cell, *way))


def _setting(dataset: Dataset, cell: str, way: str, words: str) -> Step:
    row = reading(dataset, cell, way)
    assert row is not None
    found = row["measured"]
    short = f"{number_text(100 * found['short_share'], 0)} %"
    return Step(
        f"{cell.replace('_', '-')}-{way}",
        f"{who(cell)}, {words}: {short} short",
        "",
        _figure(row),
        brief=short,
        tone=sweep.tone(found["short_share"], 0, 1),
    )


def _figure(row: Row) -> Markup:
    found = row["measured"]
    drawn = bars(
        [
            Bar("short results", found["short_share"], "discarded", tuple(found["short_interval"])),
            Bar(mark("approx", "recall@10"), found["recall"], "approx", tuple(found["interval"])),
            Bar(mark("exact"), 1, "exact", digits=0),
        ],
        title=f"{row['n']} questions: share with fewer rows than exact search, and recall",
        digits=3,
        maximum=1,
    )
    return drawn + stats(
        [
            ("candidates asked for, mean", data(row["fetched"], 0), ""),
            (f"of {row['n']} lists cut by the cap", data(row["capped"]), "discarded"),
            ("rows returned, mean", data(found["returned"], 1), "permitted"),
        ]
    )


WALKTHROUGH = Walkthrough(
    dataset="authorized_retrieval",
    kind=sweep.KIND,
    id="access-fetch",
    title="How far does over-fetching carry?",
    intro=(
        "The list of candidates is as long as the reader's visible share asks for, once, twice and four times over, up "
        "to the cap. Darker cells come up short more often. Home and away questions are rows of their own."
    ),
    steps=_steps,
    dials=_dials,
    opens=lambda dataset: f"home-{dataset.params['sizes'][1]}-fetch1",
    cells="Share of questions with fewer rows than exact search",
)
