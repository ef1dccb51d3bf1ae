"""Where two chunkers cut one document, and what the cuts did to the corpus: dataset ``chunking``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from render.numbers import number_text
from render.reading.source import Dataset
from render.views.kinds import boundaries
from render.views.kit import Bar, Cell, Col, arithmetic, bars, data, excerpt, pair, stats, table
from render.views.walkthrough import Option, Prediction, Step, Walkthrough

NAMES = {"fixed": "Fixed windows", "section_aware": "Section-aware packing"}
WIDTH, EDGE = 480, 4
LANE, GAP = 14, 4

ROWS = (
    ("cross_section", "run over a heading"),
    ("start_mid_sentence", "start in mid-sentence"),
    ("end_mid_sentence", "end in mid-sentence"),
    ("under_quarter", "hold less than a quarter of a window"),
    ("span_two_pages", "span two printed pages"),
)


def steps(dataset: Dataset) -> list[Step]:
    """Seven states: one document whole, one boundary close up from both sides, then the corpus."""
    result = dataset.result
    case, chunkers = result["case"], result["chunkers"]
    document = case["document"]
    crossing = sum(chunk["crosses"] for chunk in case["fixed"])
    clean = sum(chunk["crosses"] for chunk in case["section_aware"])
    return [
        Step(
            "both",
            "One document, cut twice",
            f"{document['title']}, from first character to last. Of {len(case['fixed'])} fixed windows {crossing} run "
            f"over a heading; of {len(case['section_aware'])} section-aware chunks, {clean or 'none'} do.",
            _counts(case) + outline(case),
        ),
        Step(
            "fixed",
            "One boundary of the fixed windows",
            "The window is full, so the next one begins: in the middle of a sentence. "
            f"The overlap repeats {case['boundary']['overlap_tokens']} tokens, and the new window runs on into "
            f"section {case['boundary']['next_heading']}.",
            _boundary(case),
        ),
        Step(
            "same-place",
            "The same place under section-aware packing",
            "The chunk that covers this place begins where a paragraph begins. "
            f"It holds {case['same_place']['tokens']} tokens, all in section {case['same_place']['section']}, and "
            "repeats nothing.",
            _quote(case["same_place"], f"chunk {case['same_place']['chunk']}, section {case['same_place']['section']}"),
        ),
        Step(
            "sizes",
            "What it costs: more chunks, and smaller ones",
            f"The same text makes {number_text(chunkers['fixed']['chunks'])} windows or "
            f"{number_text(chunkers['section_aware']['chunks'])} section-aware chunks. "
            "A short section stays a short chunk, because nothing may be packed over its heading.",
            _sizes(result["sizes"], chunkers),
            ("chunks_fixed", "chunks_section_aware"),
        ),
        Step(
            "corpus",
            "Every boundary of the corpus",
            "No section-aware chunk runs over a heading, by construction. Few start in mid-sentence; that is owed to "
            "whole paragraphs, not to headings: a paragraph longer than a window is still cut anywhere.",
            _corpus(chunkers, result["population"]),
            tuple(f"share_{key}_{name}" for key, _ in ROWS for name in NAMES),
        ),
        Step(
            "overlap",
            "What overlap repeats",
            "Fixed windows store some tokens twice. The number of windows follows from the lengths alone, so it can "
            "be known before a document is cut.",
            _overlap(dataset),
            ("repeated_fixed", "repeated_section_aware", "formula_expected", "formula_made"),
        ),
        Step(
            "found",
            "Does it help to find the answer?",
            "The same questions asked of both sets by BM25. A question counts when a chunk with its quote, word for "
            "word, is among the first ten.",
            _found(dataset),
            ("hit10_fixed", "hit10_section_aware", "hit10_difference"),
        ),
    ]  # fmt: skip


def outline(case: Mapping[str, Any]) -> Markup:
    """The document as tracks on one scale: its sections, the fixed windows in two lanes, the section-aware chunks."""
    length = case["document"]["characters"]
    starts = sorted({0, *(section["start"] for section in case["sections"])})
    sections = [{"start": a, "end": b} for a, b in zip(starts, [*starts[1:], length], strict=True)]
    title = f"{case['document']['title']}: sections, and where both chunkers cut"
    desc = (
        f"{len(sections)} sections; {len(case['fixed'])} fixed windows; "
        f"{len(case['section_aware'])} section-aware chunks. Hollow: runs over a heading. Triangle: starts in "
        "mid-sentence."
    )
    parts = [
        _label(12, "Sections of the document"),
        *(_block(section, 18, LANE, length, "bar-base") for section in sections),
        *(_tick(section["start"], 16, 18, length) for section in sections),
        _label(58, "Fixed windows (two lanes, because neighbours overlap)"),
        *(_chunk(chunk, 64 + (LANE + 10) * (i % 2), length) for i, chunk in enumerate(case["fixed"])),
        _label(130, "Section-aware chunks"),
        *(_chunk(chunk, 136, length) for chunk in case["section_aware"]),
    ]
    drawing = Markup(
        '<svg class="drawing" viewBox="0 0 {w} 164" width="{w}" height="164" role="img" aria-label="{t}. {d}">'
        "<title>{t}</title><desc>{d}</desc>{parts}</svg>"
    ).format(w=WIDTH, t=title, d=desc, parts=Markup("").join(parts))
    return Markup('<figure class="chart">{}{}</figure>').format(drawing, _key())


def _key() -> Markup:
    """What hollow, filled and the triangle mean."""
    icon = Markup('<svg class="point {}" viewBox="0 0 10 10" width="11" height="11" aria-hidden="true">{}</svg> ')
    square = Markup('<rect x="1" y="1" width="8" height="8"></rect>')
    entries = (
        (icon.format("", square), "inside one section"),
        (icon.format("hollow", square), "runs over a heading"),
        (icon.format("", Markup('<path d="M5 2 9 9H1Z"></path>')), "starts in mid-sentence"),
    )
    lines = Markup("").join(Markup("<li>{}{}</li>").format(symbol, word) for symbol, word in entries)
    return Markup('<ul class="legend" aria-label="Legend">{}</ul>').format(lines)


def _at(offset: int, length: int) -> float:
    return round(EDGE + (WIDTH - 2 * EDGE) * offset / max(1, length), 1)


def _label(y: int, text: str) -> Markup:
    return Markup('<text x="{}" y="{}">{}</text>').format(EDGE, y, text)


def _tick(offset: int, y: int, height: int, length: int) -> Markup:
    return Markup('<path class="axis" d="M{} {}v{}"></path>').format(_at(offset, length), y, height)


def _block(span: Mapping[str, int], y: int, height: int, length: int, cls: str) -> Markup:
    left, right = _at(span["start"], length), _at(span["end"], length)
    return Markup('<rect class="{}" x="{}" y="{}" width="{}" height="{}"></rect>').format(
        cls, left, y, round(max(1.0, right - left - 1.5), 1), height
    )


def _chunk(chunk: Mapping[str, Any], y: int, length: int) -> Markup:
    drawn = _block(chunk, y, LANE, length, "point hollow" if chunk["crosses"] else "fill")
    if not chunk["mid_sentence"]:
        return drawn
    at = _at(chunk["start"], length)
    return drawn + Markup('<path class="fill" d="M{} {}l3.5 6h-7Z"></path>').format(at + 3.5, y + LANE + 2)


def _counts(case: Mapping[str, Any]) -> Markup:
    def facts(name: str) -> Markup:
        drawn = case[name]
        return stats(
            [
                ("chunks", data(len(drawn)), ""),
                ("run over a heading", data(sum(chunk["crosses"] for chunk in drawn)), ""),
                ("start in mid-sentence", data(sum(chunk["mid_sentence"] for chunk in drawn)), ""),
            ]
        )

    return pair(facts("fixed"), facts("section_aware"), titles=(NAMES["fixed"], NAMES["section_aware"]))


def _quote(found: Mapping[str, Any], place: str, key: str = "excerpt") -> Markup:
    return excerpt(found[key], title=found["title"], url=found["url"], licence=found["licence"], place=place)


def _boundary(case: Mapping[str, Any]) -> Markup:
    found = case["boundary"]
    return pair(
        _quote(found, f"the end of window {found['chunk'] - 1}", "before"),
        _quote(found, f"window {found['chunk']}, section {found['section']}"),
        titles=("The window before ends", "This window starts"),
    )


def _sizes(bins: Sequence[Mapping[str, int]], chunkers: Mapping[str, Mapping[str, Any]]) -> Markup:
    most = max(max(row["fixed"], row["section_aware"]) for row in bins)

    def drawn(name: str) -> Markup:
        entries = [Bar(f"{row['from']}–{row['to']}", row[name]) for row in bins]
        return bars(entries, title="Chunks by their tokens", digits=0, maximum=most)

    titles = [
        Markup("{}, mean {}").format(words, data(chunkers[name]["mean_tokens"], 0, "tokens"))
        for name, words in NAMES.items()
    ]
    return pair(drawn("fixed"), drawn("section_aware"), titles=(titles[0], titles[1]))


def _corpus(chunkers: Mapping[str, Mapping[str, Any]], population: Mapping[str, int]) -> Markup:
    rows: list[list[Cell]] = [
        [label, *(100 * chunkers[name][key] / chunkers[name]["chunks"] for name in NAMES)] for key, label in ROWS
    ]
    boxes = [
        [f"whole in no chunk, of {number_text(population['boxes'])}", *(chunkers[name]["boxes_cut"] for name in NAMES)]
    ]
    heads: list[str | Col] = ["Of all chunks", *(Col(words, 1, "%") for words in NAMES.values())]
    drawn = table(heads, rows, title="Boundaries, all documents")
    if not population["boxes"]:
        return drawn
    columns: list[str | Col] = ["Tables and diagrams", *(Col(name, numeric=True) for name in NAMES.values())]
    return drawn + table(columns, boxes, title="Tables and diagrams drawn with lines and bars")


def _overlap(dataset: Dataset) -> Markup:
    result = dataset.result
    formula, chunkers, params = result["formula"], result["chunkers"], dataset.params
    document, size, overlap = result["case"]["document"], params["size"], params["overlap"]
    made = len(result["case"]["fixed"])
    expression = f"ceil(({document['tokens']} - {overlap}) / ({size} - {overlap}))"
    expected = -(-(document["tokens"] - overlap) // (size - overlap))
    repeated: list[list[Cell]] = [
        [NAMES[name], chunkers[name]["repeated_tokens"], 100 * chunkers[name]["repeated_tokens"]
         / result["population"]["tokens"]]
        for name in NAMES
    ]  # fmt: skip
    columns: list[str | Col] = ["Chunker", Col("tokens stored again", numeric=True), Col("of all tokens", 1, "%")]
    one = Markup('<div><p class="pair-title">{}: {} windows made</p>{}</div>').format(
        document["title"], data(made), arithmetic(Markup("the formula gives {}").format(data(expected)), expression)
    )
    whole = stats(
        [
            ("windows by the formula", data(formula["expected"]), ""),
            ("windows made", data(formula["made"]), ""),
            ("documents where both agree", data(formula["documents_equal"]), ""),
        ]
    )
    return one + whole + table(columns, repeated, title="Repeated text, all documents")


def _found(dataset: Dataset) -> Markup:
    chunkers, gap = dataset.result["chunkers"], dataset.result["differences"][0]
    entries = [Bar(NAMES[name], row["hit"], "", (row["hit_low"], row["hit_high"])) for name, row in chunkers.items()]
    note = Markup("Whiskers: 95% bootstrap intervals over {} questions drafted by a language model.").format(
        data(dataset.result["population"]["questions"])
    )
    counts = stats(
        [
            ("section-aware minus fixed", data(gap["mean"], 3), ""),
            ("95% interval of it", Markup("{} to {}").format(data(gap["low"], 3), data(gap["high"], 3)), ""),
            ("better, same, worse",
             Markup("{}, {}, {}").format(*(data(gap[key]) for key in ("better", "same", "worse"))), ""),
        ]
    )  # fmt: skip
    k = dataset.params["k"]
    return (
        bars(entries, title=f"Quote among the first {k}, share of questions", digits=3, maximum=1, note=note) + counts
    )


WALKTHROUGH = Walkthrough(
    dataset="chunking",
    kind=boundaries.KIND,
    id="chunking",
    title="Where do two chunkers cut the same document?",
    intro=(
        "Fixed windows cut when they are full. Section-aware packing fills the same window with whole paragraphs and "
        "stops at every heading. Both count in the embedder’s tokens."
    ),
    steps=steps,
    prediction=Prediction(
        before="corpus",
        ask="Section-aware packing never crosses a heading. Does it also end starts in mid-sentence?",
        options=(
            Option("Yes: it cuts between paragraphs", False, "Not inside a paragraph longer than a window: there it "
                   "cuts wherever the budget ends."),
            Option("It leaves fewer, but not none", True, "Headings and sentences are two different things to "
                   "respect; packing looks at the first and at paragraphs."),
            Option("No: it leaves just as many", False, "Most of its boundaries fall on blank lines, where a sentence "
                   "has ended."),
        ),
    ),
)  # fmt: skip
