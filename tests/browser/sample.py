"""A small made-up site for the browser tests: every template with every part, no dataset and no network needed.

The numbers are the fixture's own and are shown nowhere but here.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from render.model import (
    CheckedClaim,
    ConceptPage,
    DatasetPage,
    DatasetRef,
    DataTable,
    FigureRef,
    Heading,
    Headline,
    ListEntry,
    ListGroup,
    MetricPanel,
    PageRef,
    SectionRef,
    Site,
    SourceRef,
    WalkthroughView,
)
from render.views.chart import Axis, Series, line_chart
from render.views.kinds import stepper
from render.views.kit import (
    Bar,
    Cell,
    Col,
    Rank,
    Slot,
    arithmetic,
    bars,
    data,
    excerpt,
    heat,
    legend,
    mark,
    pair,
    rank_list,
    slots,
    stats,
    table,
)
from render.views.walkthrough import Option, Prediction, Step

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


def ref(slug: str, title: str, summary: str = "A sentence about it.", exists: bool = True) -> PageRef:
    return PageRef(slug, title, summary, f"concepts/{slug}/index.html", exists)


SECTIONS = (
    SectionRef("orientation", "Orientation", "What goes wrong where.", (ref("rag", "The whole pipeline"),)),
    SectionRef(
        "representations",
        "Representations",
        "What a passage becomes before it can be found.",
        (ref("embeddings", "Embeddings"), ref("bm25", "BM25"), ref("late", "Late interaction", exists=False)),
    ),
    SectionRef(
        "retrieval",
        "Retrieval",
        "Indexes, and the merging of lists.",
        (ref("hnsw", "HNSW"), ref("rrf", "Reciprocal rank fusion"), ref("reranking", "Reranking")),
    ),
    SectionRef(
        "access-control",
        "Access control",
        "Who may see which rows.",
        (ref("row-level-security", "Row-level security"), ref("ann-post-filtering", "Filtering after the index")),
    ),
    SectionRef("publishing", "Publishing", "This site itself.", (ref("html-nesting", "HTML nesting"),)),
)
DATASET = DatasetRef(
    "ann_postfilter",
    "Recall when the policy filters after the index",
    "Recall at ten of an approximate index under row-level security, by role, for questions about own tenants.",
    "data/ann_postfilter/index.html",
    "data/ann_postfilter/ann_postfilter.json",
    "fresh",
    "hash-checked at build, re-run on 2026-11-20",
    "measured",
    "48 kB",
)
STALE = DatasetRef(
    "bm25", "BM25 by hand", "Scores.", "data/bm25/index.html", "data/bm25/bm25.json", "stale",
    "stale: code changed: harness/retrieval/bm25.py", "derived", "9 kB",
)  # fmt: skip
SITE = Site("Zeroth", "retrieval-augmented generation, every number measured", SECTIONS, (DATASET, STALE), "", "0.1.0")


def figure(name: str, value: float, text: str, label: str, kind: str = "measured", unit: str = "") -> FigureRef:
    return FigureRef(
        f"ann_postfilter.{name}", f"num-ann-postfilter-{name}", value, text, unit, label, "240", "[0.79, 0.87]", 2,
        kind, "python -m harness regenerate ann_postfilter", DATASET, f"{DATASET.url}#fig-{name}", False,
        ("Home questions only: the role may see the tenant the question is about.",), DATASET.state_text,
    )  # fmt: skip


FIGURES = (
    figure("home", 0.83, "0.83", "Recall@10, one tenant visible, question about that tenant"),
    figure("away", 0.05, "0.05", "Recall@10, one tenant visible, question about another"),
    figure("empty", 212, "212", "Questions that came back empty", kind="derived", unit="of 240"),
)


def inline_number(item: FigureRef, rel: str) -> Markup:
    return Markup('<a class="num num--{}" href="{}" data-num="{}"><data value="{}">{}</data></a>').format(
        item.kind, rel + item.url, item.anchor, item.value, item.text
    )


def _step_bodies() -> list[Markup]:
    ten = [Slot("permitted", "rfc8446:0012"), *[Slot("discarded")] * 6, Slot("permitted", "rfc5246:0107")]
    ten += [Slot("empty")] * 2
    forty = [Slot("permitted" if i % 9 == 0 else "discarded") for i in range(120)]
    ranks = [
        Rank(1, "RFC 8446 §4.2.8, key share", data(0.03252, 4), "fused", move=2, note="third in both lists", on=True),
        Rank(2, "RFC 8446 §2.3, early data", data(0.03068, 4), "lexical", move=-1),
        Rank(
            4,
            "RFC 5246 §7.4.3, a rather long heading that needs two lines on a phone",
            data(0.0301, 4),
            "dense",
            move=0,
        ),
    ]
    columns = [Col("role"), Col("recall@10", 3), Col("empty", numeric=True), Col("plan")]
    rows: list[list[Cell]] = [
        ["all tenants", 0.985, 0, "HNSW"],
        ["one tenant", 0.83, 11, "HNSW"],
        ["nobody", None, 240, Markup("<code>Seq Scan</code>")],
    ]
    chart = line_chart(
        [
            Series("exact", [(10, 1.0), (40, 1.0), (200, 1.0), (800, 1.0)], "exact"),
            Series("home, 1 tenant", [(10, 0.6), (40, 0.83), (200, 0.945), (800, 0.992)], "approx"),
            Series("away, 1 tenant", [(10, 0.01), (40, 0.05), (200, 0.18), (800, 0.6)], "discarded"),
        ],
        title="Recall@10 by ef_search",
        desc="Recall rises with ef_search; away questions stay far below home questions.",
        x=Axis("ef_search (logarithmic)", log=True),
        y=Axis("recall@10", 2, low=0, high=1),
        note="Two hundred and forty questions a point.",
    )
    lists = bars(
        [
            Bar(mark("lexical"), 0.71, "lexical", (0.66, 0.76)),
            Bar(mark("dense"), 0.64, "dense", (0.58, 0.69)),
            Bar(mark("fused"), 0.79, "fused", (0.74, 0.83), remark="RRF"),
        ],
        title="Recall@10 by list",
        digits=2,
        maximum=1,
    )
    matrix = heat(
        ["key", "share"],
        ["the", "key", "exchange"],
        [[0.1, 0.9, 0.4], [0.2, 0.5, 0.7]],
        title="Similarity",
        mark_row_max=True,
    )
    facts = stats([("recall@10", data(0.83, 2), "approx"), ("empty results", data(11), "")])
    sides = pair(
        slots(ten, title="Approximate"),
        slots([Slot("permitted", f"rfc{i}:0001") for i in range(10)], title="Exact"),
        titles=(mark("approx"), mark("exact")),
    )
    quote = excerpt(
        "Clients MAY send an empty client_shares vector in order to request group selection from the server.",
        title="RFC 8446", url="https://www.rfc-editor.org/rfc/rfc8446.txt", licence="IETF Trust", place="page 48",
    )  # fmt: skip
    return [
        facts + legend(["permitted", "discarded"]) + slots(ten, title="The index's first ten"),
        sides,
        rank_list(ranks, title="Fused list") + arithmetic(data(0.0325, 4), "1/(60+3) + 1/(60+11)"),
        table(columns, rows, title="By role", note="Plans as captured.", row_classes=["", "is-on", "discarded"])
        + lists,
        chart,
        slots(forty, title="All candidates at ef_search 120") + matrix + quote,
    ]


def walkthrough_view(ident: str = "ann_postfilter") -> WalkthroughView:
    titles = [
        (
            "asked",
            "The index returns its ten nearest",
            "The index knows nothing of the policy; it hands over ten rows.",
        ),
        ("filtered", "The policy drops the rows of others", "Two of the ten belong to a tenant this role may see."),
        ("fused", "Fusion sees what is left", "The fused list starts from a shortened dense list."),
        ("roles", "The fewer rows a role may see, the worse", "Same questions, same index, different roles."),
        ("dial", "A larger ef_search buys some of it back", "Recall rises, and so does the work."),
        ("all", "All candidates, side by side", "Most of what the index walked to is thrown away."),
    ]
    steps = tuple(Step(i, t, s, body) for (i, t, s), body in zip(titles, _step_bodies(), strict=True))
    return WalkthroughView(
        id=ident,
        title="Why did this question return nothing?",
        intro="A role that may see one tenant of sixteen asks about that tenant.",
        steps=steps,
        prediction=Prediction(
            "filtered",
            "How many of the ten rows will this reader get?",
            (Option("Ten", False, "The index does not refill."), Option("Two", True, "Only two pass the policy.")),
        ),
        kind=stepper.KIND,
        opens="asked",
        n_text="n = 240",
        corpus="RFCs of sixteen working groups, 25 646 records",
        made_text="captured 2026-11-20, hash-checked at build",
        dataset=DATASET,
        caveats=("Home questions only.",),
    )


QUESTION = {
    "ask": "Which list does a reader of one tenant lose?",
    "options": [
        {"text": "The dense one", "right": True, "why": "It is filtered after the fact."},
        {"text": "The lexical one", "right": False, "why": "It orders only rows that passed."},
    ],
}
ARTICLE = Markup("""\
<h2 id="what-it-is">What it is</h2>
<p>An approximate index looks at a fixed number of candidates and stops. A policy applied afterwards takes rows away and
nothing puts others in their place, so {home} of the true neighbours are left of the
<a class="metric-ref" href="#metric-recall-at-k">recall@k</a> the index is known for, and {away} when the question is
about someone else. See <a class="xref" href="{rel}concepts/rrf/index.html" data-preview="rrf">RRF</a>,
<span class="xref xref--planned">late interaction</span> and <a class="cite" href="#source-malkov2018">[1]</a>.</p>
<p>Worked: <span class="calc"><code>1/(60+3) + 1/(60+11)</code> = <data value="0.0299">0.0299</data></span>.
<span class="claim">Away questions fare far worse than home questions.</span></p>
<h2 id="how-it-works">How it works</h2>
<ol class="steps"><li>The index walks its graph.</li><li>The policy looks at every row that came out.</li></ol>
<div class="formula" tabindex="0" role="region" aria-label="Formula"><math display="block"><mi>R</mi><mo>=</mo>
<mfrac><mn>1</mn><mrow><mi>k</mi><mo>+</mo><mi>r</mi></mrow></mfrac></math></div>
<pre tabindex="0" role="region" aria-label="SQL"><code>SET LOCAL hnsw.ef_search = 40;
SELECT id FROM chunks WHERE tenant = 'tls' ORDER BY embedding &lt;=&gt; $1, id LIMIT 10;</code></pre>
<h2 id="walkthrough">Walkthrough</h2>
{walks}
<h2 id="check-yourself">Check yourself</h2>
""")
RECALL = MetricPanel(
    "recall-at-k",
    "Recall@k",
    "R@k",
    "share",
    "The share of what should be found that was found.",
    Markup("<p>Here: of the exact ten under the same policy.</p>"),
)
HNSW = SourceRef(
    "malkov2018",
    1,
    Markup('Malkov and Yashunin (2018). <a href="https://arxiv.org/abs/1603.09320"><cite>HNSW</cite></a>.'),
)
ROWS = DataTable(
    "result-rows",
    "rows",
    ("role", "ef_search", "recall"),
    (("one", "40", "0.83"), ("all", "40", "0.985")),
    "The JSON holds everything.",
    (False, True, True),
)
RFCS = {"name": "RFCs", "uri": "https://www.rfc-editor.org/rfc/", "records": "1 539", "licence": "IETF Trust"}


class SampleSite:
    """Renders the templates with the made-up context into a folder that opens from disk."""

    def __init__(self) -> None:
        loader = FileSystemLoader(TEMPLATES)
        self.env = Environment(loader=loader, autoescape=True, undefined=StrictUndefined)
        self.macros: Any = self.env.get_template("macros.html.j2").module

    def page(self, template: str, path: str, **context: Any) -> str:
        common: dict[str, Any] = {"site": SITE, "rel": "../" * path.count("/"), "path": path, "canonical": ""}
        own = Markup('<a href="{}">').format(common["rel"] + path)
        section = getattr(getattr(context.get("page"), "section", None), "id", "")
        nav = self.macros.site_nav(SITE.menu, common["rel"], section)
        common["nav"] = nav.replace(own, own[:-1] + Markup(' aria-current="page">'), 1)
        return self.env.get_template(template).render(common | context)

    def article(self, rel: str) -> Markup:
        walks = [self.macros.walkthrough(walkthrough_view(name), rel) for name in ("ann_postfilter", "second")]
        prose = ARTICLE.format(
            home=inline_number(FIGURES[0], rel),
            away=inline_number(FIGURES[1], rel),
            rel=rel,
            walks=Markup("").join(walks),
        )
        return prose + Markup(self.macros.question(QUESTION))

    def concept(self, path: str) -> str:
        page = ConceptPage(
            slug="ann-post-filtering",
            title="Filtering after an approximate index",
            summary="A policy applied after the index has chosen its candidates removes rows that nothing replaces.",
            section=SECTIONS[3],
            updated="2026-11-21",
            aliases=("post-filtering",),
            html=self.article("../" * path.count("/")),
            headings=tuple(
                Heading(i, t, 2)
                for i, t in [
                    ("what-it-is", "What it is"), ("how-it-works", "How it works"),
                    ("walkthrough", "Walkthrough"), ("check-yourself", "Check yourself"),
                ]
            ),
            before=(ref("hnsw", "HNSW"), ref("row-level-security", "Row-level security")),
            unlocks=(ref("reranking", "Reranking"),),
            related=(ref("rrf", "Reciprocal rank fusion"), ref("bm25", "BM25")),
            previous=ref("row-level-security", "Row-level security"),
            next=ref("html-nesting", "HTML nesting"),
            datasets=(DATASET, STALE),
            metrics=(RECALL,),
            figures=FIGURES,
            sources=(HNSW,),
            previews=(ref("rrf", "Reciprocal rank fusion", "Ranks of several lists added as reciprocals."),),
            claims=(CheckedClaim("Away is worse than home.", Markup("<code>away &lt; home</code>")),),
        )  # fmt: skip
        return self.page("concept.html.j2", path, kind="concept", title=page.title, description=page.summary, page=page)

    def dataset(self, path: str) -> str:
        digest = "sha256:" + "9f86d081884c7d659a2feaa0c55ad015" * 2
        page = DatasetPage(
            name=DATASET.name, title=DATASET.title, describes=DATASET.describes, url=DATASET.url, kind="measured",
            state="equivalent", state_text="code changed since, equal on the canary",
            reasons=("code changed: harness/retrieval/dense.py",), caveats=("Home questions only.",), figures=FIGURES,
            cited=(), tables=(ROWS,),
            command="python -m harness regenerate ann_postfilter",
            script="harness/experiments/ann_postfilter/capture.py",
            commit="d5b2e48", code=({"path": "harness/retrieval/dense.py", "sha256": digest, "state": "code changed"},),
            inputs=({**RFCS, "sha256": digest, "available": "rebuildable"},),
            models=({"role": "embedder", "name": "all-MiniLM-L6-v2", "sha256": digest},),
            params=(("ef_search", "10, 40, 200, 800"), ("m", "16")), environment=(("PostgreSQL", "18.4"),),
            run=(("id", "r1"), ("started", "2026-11-20T08:00:00Z")), determinism="nothing but the timings",
            digest=digest, integrity=digest, canary=digest,
            verified=({"date": "2026-11-20", "by": "rerun", "outcome": "equal"},), cite="Zeroth (2026). Recall.",
            used_by=(ref("ann-post-filtering", "Filtering after an approximate index"),),
            json_url=DATASET.json_url, csv_url="data/ann_postfilter/figures.csv", size_text="48 kB",
            jsonld=Markup('{"@type": "Dataset"}'),
        )  # fmt: skip
        return self.page(
            "dataset.html.j2", path, kind="dataset", title=page.title, description=page.describes, data=page
        )

    def home(self) -> str:
        headline = Headline("", Markup(""), FIGURES, self.macros.walkthrough(walkthrough_view(), ""))
        return self.page(
            "home.html.j2", "index.html", kind="home", title="Zeroth", description=SITE.tagline, headline=headline
        )

    def listing(self, path: str) -> str:
        groups = [
            ListGroup(
                s.id,
                s.title,
                s.summary,
                tuple(ListEntry(p.title, p.summary, p.url if p.exists else "") for p in s.pages),
            )
            for s in SECTIONS
        ]
        groups.append(
            ListGroup(
                "d", "Datasets", "", (ListEntry(DATASET.title, DATASET.describes, DATASET.url, "measured, 48 kB"),)
            )
        )
        return self.page(
            "list.html.j2", path, kind="list", title="Concepts", description="All.", intro="All of them.", groups=groups
        )

    def pages(self) -> dict[str, str]:
        """Path → HTML of every sample page."""
        concept = "concepts/ann-post-filtering/index.html"
        return {
            "index.html": self.home(),
            concept: self.concept(concept),
            DATASET.url: self.dataset(DATASET.url),
            "concepts/index.html": self.listing("concepts/index.html"),
            "404.html": self.page(
                "notfound.html.j2", "404.html", kind="notfound", title="No such page", description="No such page"
            ),
        }

    def write(self, folder: Path) -> Path:
        """Writes the pages and the assets below ``folder`` and returns it."""
        for path, text in self.pages().items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        shutil.copytree(TEMPLATES / "assets", folder / "assets", dirs_exist_ok=True)
        return folder
