"""The full corpus: tenants by rule, small ones folded into their siblings, questions that follow their documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.corpus.full.contracts import contract_type, select_contracts
from harness.corpus.full.entries import mirrored, slug, url_of
from harness.corpus.full.filings import fact
from harness.corpus.full.fold import LEAST, SIBLINGS, fold, folded
from harness.corpus.load import questions_of
from harness.corpus.manifest import entry_of, read_manifest
from harness.corpus.model import Query
from harness.errors import HarnessError
from harness.paths import FULL_MANIFEST, mirror_dir


def document(ident: str, tenant: str) -> dict[str, object]:
    return {
        "id": ident, "source": "rfc", "title": "T", "url": "https://e.org/x", "sha256": "0" * 64, "bytes": 1,
        "pages": None, "tenant": tenant, "tenant_name": tenant.upper(), "original_tenant": tenant,
        "original_tenant_name": tenant.upper(), "licence": "L", "obsoletes": [], "obsoleted_by": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A_19990826_10-12G_EX-10.10_1_EX-10.10_Co-Branding Agreement_ Agency Agreement", "cuad-co-branding"),
        ("METLIFE, INC. - REMARKETING AGREEMENT", "cuad-marketing"),
        ("X_2020-EX-99.1-JOINT FILING AGREEMENT", "cuad-joint-venture"),
        ("LICENSEHOLDINGS_01_02_2003-EX-10.1-SPONSORSHIP AGREEMENT", "cuad-sponsorship"),
    ],
)
def test_a_contract_type_is_read_from_the_end_of_the_file_name(name: str, expected: str) -> None:
    assert contract_type(name)[0] == expected


def test_a_contract_named_after_nothing_takes_its_type_from_the_annotators() -> None:
    assert contract_type("MSCIINC_02_28_2008-EX-10.10-", "SERVICES AGREEMENT")[0] == "cuad-service"
    with pytest.raises(HarnessError, match="no contract type in its name"):
        contract_type("MSCIINC_02_28_2008-EX-10.10-")


def test_the_smallest_tenant_joins_its_sibling_first_and_sums_count() -> None:
    final = fold({"a": 300, "b": 250, "c": 900}, {"a": "c", "b": "a"}, least=500)
    assert final == {"a": "a", "b": "a", "c": "c"}, "b (250) joins a, which is then large enough"


def test_a_chain_of_small_tenants_ends_in_one_that_is_large_enough() -> None:
    assert fold({"a": 10, "b": 20, "c": 900}, {"a": "b", "b": "c"}, least=500) == {"a": "c", "b": "c", "c": "c"}


def test_a_small_tenant_without_a_sibling_stops_the_fold_by_name() -> None:
    with pytest.raises(HarnessError, match="tenant a: 3 passages, fewer than 500, and no sibling"):
        fold({"a": 3, "c": 900}, {})
    with pytest.raises(HarnessError, match="joined it before"):
        fold({"a": 3, "b": 4}, {"a": "b", "b": "a"})


def test_a_folded_document_keeps_the_tenant_it_came_with() -> None:
    made = folded([document("x", "a"), document("y", "c")], {"x": 3, "y": 900}, {"a": "c"})
    assert [(d["tenant"], d["tenant_name"], d["original_tenant"]) for d in made] == [("c", "C", "a"), ("c", "C", "c")]


def test_a_question_follows_its_document_to_the_final_tenant() -> None:
    entries = [entry_of(document("x", "a") | {"tenant": "c"})]
    asked = Query("q", "?", "a", "fact", "x", None, None, None, "m")
    lost = Query("r", "?", "a", "fact", None, None, None, None, "m")
    assert [q.tenant for q in questions_of(entries, [asked, lost])] == ["c", "c"]


def test_a_mirrored_name_keeps_its_percent_signs() -> None:
    path = Path("/m/e.org/a/B%20C%2CD.txt")
    assert url_of(Path("/m"), path) == "https://e.org/a/B%20C%2CD.txt"
    assert mirrored(Path("/m"), url_of(Path("/m"), path)) == path


def test_an_id_is_cut_between_words() -> None:
    assert slug("One Two, Three!") == "one-two-three"
    assert slug("abc defghi", limit=6) == "abc"


def test_a_fact_of_inline_xbrl_is_read_without_its_markup() -> None:
    raw = '<ix:nonNumeric contextRef="c" name="dei:EntityRegistrantName" id="f"><span>A &amp; B</span></ix:nonNumeric>'
    assert fact(raw, "EntityRegistrantName") == "A & B"
    assert fact(raw, "Nothing") == ""


def test_the_manifest_of_the_full_corpus_is_large_and_its_tenants_are_final() -> None:
    entries = read_manifest(FULL_MANIFEST)
    searched = [entry for entry in entries if entry.source != "submission"]
    assert len(searched) >= 900
    assert len({entry.tenant for entry in searched}) >= 48
    assert {entry.source for entry in searched} == {"rfc", "contract", "filing"}
    moved = {entry.original_tenant: entry.tenant for entry in searched if entry.tenant != entry.original_tenant}
    assert set(moved) <= set(SIBLINGS), "only a tenant with a named sibling may be folded"
    assert LEAST == 500


def test_the_contracts_of_the_manifest_are_those_of_the_mirror() -> None:
    mirror = mirror_dir()
    if mirror is None or not mirror.is_dir():
        pytest.skip("no mirror of the documents (ZEROTH_MIRROR)")
    listed = [d for d in json.loads(FULL_MANIFEST.read_text("utf-8"))["documents"] if d["source"] == "contract"]
    fields = ("id", "url", "sha256", "original_tenant", "title")
    assert [{f: d[f] for f in fields} for d in select_contracts(mirror)] == [{f: d[f] for f in fields} for d in listed]
