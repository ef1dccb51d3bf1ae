"""The walkthrough of chunking says what its dataset says."""

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text


def test_the_walkthrough_of_chunking_keeps_the_rules() -> None:
    keeps_the_rules("chunking")


def test_the_outline_draws_every_chunk_of_both_chunkers() -> None:
    case = dataset("chunking").result["case"]
    body = str(drawn("chunking")[0].body)
    hollow = sum(chunk["crosses"] for chunk in case["fixed"] + case["section_aware"])
    chunks = len(case["fixed"]) + len(case["section_aware"])
    starts = sum(chunk["mid_sentence"] for chunk in case["fixed"] + case["section_aware"])
    assert body.count('<rect class="point hollow"') == hollow
    assert body.count('<rect class="fill"') == chunks - hollow
    assert body.count('<path class="fill"') == starts


def test_the_boundary_shown_cuts_a_sentence_and_runs_over_a_heading() -> None:
    case = dataset("chunking").result["case"]
    window = case["fixed"][case["boundary"]["chunk"]]
    assert window["mid_sentence"] and window["crosses"]
    assert case["boundary"]["next_heading"] in step("chunking", "fixed").says


def test_section_aware_chunks_cross_no_heading_and_still_start_in_mid_sentence_less_often() -> None:
    fixed, packed = (dataset("chunking").result["chunkers"][name] for name in ("fixed", "section_aware"))
    assert packed["cross_section"] == 0
    assert 0 < packed["start_mid_sentence"] / packed["chunks"] < fixed["start_mid_sentence"] / fixed["chunks"]
    assert packed["chunks"] > fixed["chunks"] and packed["mean_tokens"] < fixed["mean_tokens"]


def test_the_formula_opens_to_the_operands_of_the_document_shown() -> None:
    data = dataset("chunking")
    document, params = data.result["case"]["document"], data.params
    seen = text(step("chunking", "overlap").body)
    assert f"ceil(({document['tokens']} - {params['overlap']}) / ({params['size']} - {params['overlap']}))" in seen


def test_the_hit_rates_of_both_chunkers_stand_side_by_side() -> None:
    seen = text(step("chunking", "found").body)
    for row in dataset("chunking").result["chunkers"].values():
        assert shown(row["hit"], 3) in seen


def test_the_page_says_that_no_gain_is_established() -> None:
    assert all(row["low"] <= 0 <= row["high"] and row["mean"] > 0 for row in dataset("chunking").result["differences"])


def test_the_chunk_at_the_same_place_begins_where_a_paragraph_begins() -> None:
    case = dataset("chunking").result["case"]
    chunk = case["section_aware"][case["same_place"]["chunk"]]
    assert not chunk["mid_sentence"] and not chunk["crosses"] and chunk["tokens"] == case["same_place"]["tokens"]
