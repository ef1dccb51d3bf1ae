"""The walkthrough of reciprocal rank fusion says what its dataset says."""

from fractions import Fraction

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text


def test_the_walkthrough_of_fusion_keeps_the_rules() -> None:
    keeps_the_rules("rrf")


def test_the_passage_followed_is_first_in_neither_list_and_first_after_fusion() -> None:
    query = next(q for q in dataset("rrf").result["queries"] if q["why"].startswith("agreement"))
    winner = query["fused"][0]
    assert winner["rank"] == 1 and winner["id"] not in (query["lexical"][0], query["dense"][0])
    for source in ("lexical", "dense"):
        assert f"number {winner[source]['rank']} in the {source} list" in drawn("rrf")[0].says


def test_every_sum_shown_opens_to_parts_that_give_its_fraction() -> None:
    data = dataset("rrf")
    query = next(q for q in data.result["queries"] if q["why"].startswith("agreement"))
    seen = text(step("rrf", "sums").body)
    for row in query["fused"][:5]:
        parts = [row[source] for source in ("lexical", "dense") if row[source]]
        assert sum(Fraction(1, data.params["k"] + part["rank"]) for part in parts) == Fraction(row["fraction"])
        assert row["fraction"] in seen and shown(row["score"], 5) in seen


def test_a_missing_rank_is_named_and_never_printed_as_a_part() -> None:
    query = next(q for q in dataset("rrf").result["queries"] if q["why"].startswith("agreement"))
    missing = sum(row[source] is None for row in query["fused"][:8] for source in ("lexical", "dense"))
    assert text(step("rrf", "sums").body).count("not in the list") == missing


def test_the_mistake_puts_a_passage_of_one_list_above_one_of_both() -> None:
    body = str(step("rrf", "missing").body)
    assert "The mistake" in body and "Missing gives nothing" in body
    mistaken = body[body.index("The mistake") :]
    assert mistaken.index("not in the") < mistaken.index("in both lists")


def test_the_ranks_by_k_agree_with_the_fused_list_at_the_default() -> None:
    data = dataset("rrf")
    query = next(q for q in data.result["queries"] if q["why"].startswith("agreement"))
    from render.walkthroughs._rrf_case import ranks_at

    at = dict(zip(query["by_k"]["ids"], ranks_at(query, data.params["k"]), strict=True))
    assert all(at[row["id"]] == row["rank"] for row in query["fused"] if row["id"] in at)


def test_a_question_that_fusion_makes_worse_is_shown() -> None:
    loss = step("rrf", "loss")
    query = next(q for q in dataset("rrf").result["queries"] if q["why"].startswith("fusion loses"))
    ranks = query["evidence_rank"]
    best = min(rank for rank in (ranks["lexical"], ranks["dense"]) if rank)
    assert ranks["fused"] is None or ranks["fused"] > best
    assert best == 1 and None in (ranks["lexical"], ranks["dense"])
    assert query["question"] in text(loss.body)


def test_the_page_says_which_gains_over_dense_retrieval_are_established() -> None:
    rows = [r for r in dataset("rrf").result["differences"] if (r["base"], r["to"]) == ("dense", "fused")]
    unsure = [(row["metric"], row["label"]) for row in rows if row["low"] <= 0]
    assert len(rows) == 4 and unsure == [("hit@10", "source")]
    rows = [r for r in dataset("rrf").result["differences"] if (r["base"], r["to"]) == ("lexical", "fused")]
    assert len(rows) == 4 and all(row["low"] > 0 for row in rows)


def test_the_labels_disagree_on_the_best_k() -> None:
    rows = dataset("rrf").result["by_k"]
    best = [max(rows, key=lambda row: row[f"MRR@10 {label}"])["k"] for label in ("source", "evidence")]
    assert best[0] != best[1]
