"""The walkthrough of freshness says what its dataset says."""

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, step, text


def test_the_walkthrough_of_freshness_keeps_the_rules() -> None:
    keeps_the_rules("freshness")


def test_the_first_view_is_a_verified_quote_of_a_superseded_document() -> None:
    case = dataset("freshness").result["cases"][0]
    quote = case["answers"]["open"]["quote"]
    assert case["outcome"] == "nothing fresh" and quote["superseded"] and quote["verifies"]
    assert (
        f"RFC {quote['doc'].removeprefix('rfc')}," in drawn("freshness")[0].says
        and "verifies word for word" in drawn("freshness")[0].says
    )


def test_no_list_under_the_contract_holds_a_superseded_passage() -> None:
    for case in dataset("freshness").result["cases"]:
        for search in case["searches"]:
            assert not any(row["superseded"] for row in search["fresh"])
            assert search["excluded"] == sum(row["superseded"] for row in search["open"])


def test_the_case_of_the_heir_shows_it_in_first_place() -> None:
    case = next(case for case in dataset("freshness").result["cases"] if case["id"] == "heir")
    found = next(search for search in case["searches"] if search["search"] == "lexical")
    first = next(row for row in case["documents"] if row["doc"] == found["open"][0]["doc"])
    assert found["fresh"][0]["doc"] in first["heirs_held"]
    assert f"RFC {found['fresh'][0]['doc'].removeprefix('rfc')}" in step("freshness", "heir").says


def test_the_case_outside_has_no_heir_in_the_corpus() -> None:
    case = next(case for case in dataset("freshness").result["cases"] if case["id"] == "outside")
    found = next(search for search in case["searches"] if search["search"] == "dense")
    first = next(row for row in case["documents"] if row["doc"] == found["open"][0]["doc"])
    assert first["successors"] and first["heirs_held"] == []


def test_outcomes_add_up_to_all_questions() -> None:
    row = dataset("freshness").result["answers"]
    assert row["given_fresh"] + row["nothing_fresh"] + row["nothing"] == row["questions"]
    assert "declined: nothing fresh" in text(step("freshness", "answers").body)


def test_filtering_before_ranking_shortens_no_list() -> None:
    for row in dataset("freshness").result["searches"]:
        assert row["short_before"] == 0 and row["fewest_after"] < 10
