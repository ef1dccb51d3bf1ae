"""The numbers of ``tenants`` that text may cite."""

from __future__ import annotations

from harness.capture.tables import Column, Table, counts
from harness.measuring.population import POPULATION, quality
from harness.measuring.trials import READERS

DEALT = {
    "semantic": "the documents' own tenants",
    "documents": "documents dealt by hash",
    "chunks": "chunks dealt by hash",
    "orthogonal": "made-up orthogonal tenants",
}
FAMILIES = {"rfc": "RFCs", "cuad": "contracts", "sec": "annual reports"}
ASKED = "/result/population/questions"

TABLES = (
    POPULATION,
    counts(
        "/result/fold",
        {
            "least": "chunks that a tenant must have",
            "tenants_before": "tenants before small ones joined a sibling",
            "tenants_after": "tenants after small ones joined a sibling",
            "small_before": "tenants below the limit before joining",
            "small_after": "tenants below the limit after joining",
            "one_document_before": "tenants of a single document before joining",
            "one_document_after": "tenants of a single document after joining",
            "folded": "documents whose tenant is not the one they came with",
        },
        "fold_",
    ),
    Table(
        "/result/arrangements",
        [
            Column("within", "within", "mean cosine of two chunks of one tenant, mean over tenants, {row}", 3,
                   n="tenants"),
            Column("across", "across",
                   "mean cosine of chunks of different tenants, mean over pairs of tenants, {row}", 3, n="tenants"),
            Column("apart", "apart", "tenants closer within than to any other tenant, {row}", n="tenants"),
            Column("smallest", "smallest", "chunks of the smallest tenant, {row}", n="tenants"),
            Column("largest", "largest", "chunks of the largest tenant, {row}", n="tenants"),
            Column("own_among", "own_among",
                   "rows of the question's tenant among the nearest of a candidate list's length, mean, {row}", 2,
                   n=ASKED),
            Column("own_by_chance", "own_by_chance", "the same if rows of a tenant lay anywhere, {row}", 2, n=ASKED),
            Column("without_own", "without_own", "questions with no row of their tenant that near, {row}", n=ASKED),
        ],
        "{arrangement}", "{arrangement}", words={"arrangement": DEALT},
    ),
    Table(
        "/result/readings",
        [*quality("empty", "short", "returned"),
         Column("visible", "visible_share", "mean share of chunks visible, {row}", 4, n="n")],
        "{arrangement}_{cell}", "{arrangement}, {cell}", words={"arrangement": DEALT, "cell": READERS},
    ),
    Table(
        "/result/families",
        [
            Column("recall_home", "measured/recall", "recall@10 of home questions about {row}, their own tenants", 3,
                   n="n", interval="measured/interval"),
            Column("n_home", "n", "home questions about {row}"),
        ],
        "{family}", "{family}", {"family": {name: name.replace(" ", "_").lower() for name in FAMILIES.values()}},
    ),
)  # fmt: skip
