"""The walkthrough of tenants says what its dataset says."""

from tests.walkthroughs.drawing import dataset, drawn, keeps_the_rules, shown, step, text

ARRANGEMENTS = ("semantic", "documents", "chunks", "orthogonal")


def test_the_walkthrough_of_tenants_keeps_the_rules() -> None:
    keeps_the_rules("tenants")


def test_the_first_view_holds_all_four_conclusions_home_and_away() -> None:
    seen = text(drawn("tenants")[0].body)
    for row in dataset("tenants").result["readings"]:
        if row["cell"] != "all":
            assert shown(row["measured"]["recall"], 3) in seen, row


def test_every_candidate_of_a_shown_question_has_a_place_and_the_permitted_are_counted() -> None:
    for case in dataset("tenants").result["cases"]:
        body = str(step("tenants", case["arrangement"]).body)
        own = sum(tenant == case["tenant"] for tenant in case["slots"])
        assert body.count('class="slot permitted"') == own
        assert body.count('class="slot discarded"') == len(case["slots"]) - own


def test_names_of_tenants_dealt_by_hash_are_not_printed() -> None:
    for name in ("documents", "chunks"):
        case = next(case for case in dataset("tenants").result["cases"] if case["arrangement"] == name)
        assert f"tenant {case['tenant']}" not in text(step("tenants", name).body)


def test_the_control_is_called_one() -> None:
    assert "control, not data" in step("tenants", "orthogonal").says


def test_every_folded_tenant_stands_in_the_table() -> None:
    data = dataset("tenants").result
    seen = text(step("tenants", "folded").body)
    assert all(row["original"] in seen and row["chunks"] < data["fold"]["least"] for row in data["folded"])
    assert len(data["folded"]) == data["fold"]["tenants_before"] - data["fold"]["tenants_after"]


def test_dealing_by_hash_changes_the_conclusion_and_not_the_sizes() -> None:
    data = dataset("tenants").result
    recall = {(row["arrangement"], row["cell"]): row["measured"]["recall"] for row in data["readings"]}
    assert recall["semantic", "home1"] > recall["documents", "home1"] > recall["chunks", "home1"]
    assert recall["chunks", "away1"] > recall["orthogonal", "away1"]
    strayed = next(row for row in data["readings"] if (row["arrangement"], row["cell"]) == ("orthogonal", "away1"))
    assert strayed["measured"]["interval"][0] == 0  # a walk strays to the reader's tenant once in hundreds, or never
    assert strayed["measured"]["empty"] > strayed["n"] - 1
    sizes = {row["arrangement"]: (row["smallest"], row["largest"]) for row in data["arrangements"]}
    assert sizes["chunks"] == sizes["semantic"]
