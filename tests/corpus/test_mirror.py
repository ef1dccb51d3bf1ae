"""The parsers on every contract, report and submission of the mirror; skipped where the mirror is absent."""

import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest

from harness.corpus import contract, filing
from harness.corpus.parsed import Parsed
from harness.corpus.submission import submissions
from harness.paths import ROOT

MIRROR = Path(os.environ.get("ZEROTH_MIRROR") or ROOT.parent / "shared" / "mirror")
CONTRACTS = sorted(MIRROR.glob("raw.githubusercontent.com/maastrichtlawtech/*/*/data/CUAD_v1/full_contract_txt/*.txt"))
REPORTS = sorted(MIRROR.glob("raw.githubusercontent.com/alphanome-ai/*/*/10-K/*/*/primary-document.html"))
ARCHIVES = sorted(MIRROR.glob("raw.githubusercontent.com/nlpaueb/*/*/tests/fixtures/RAW_FILINGS/8-K.zip"))

needs_contracts = pytest.mark.skipif(not CONTRACTS, reason="no contracts: set ZEROTH_MIRROR to a mirror that has them")
needs_reports = pytest.mark.skipif(not REPORTS, reason="no annual reports: set ZEROTH_MIRROR to a mirror that has them")
needs_archive = pytest.mark.skipif(not ARCHIVES, reason="no 8-K archive: set ZEROTH_MIRROR to a mirror that has it")

PAGE_LINE = re.compile(r"\n(?:-? ?\d{1,3} ?-|- ?\d{1,3} ?-?|Page -?\d+-?(?: of \d+)?)\n")
MOJIBAKE = re.compile("â€[™œ\x9d“”˜¢]|Ã[©¨¼¶¤]|Â[§®°©]")
XBRL = re.compile(r"\bus-gaap:|\bxbrli:|\bcontextRef\b|http://fasb\.org")


@pytest.fixture(scope="module")
def contracts() -> list[Parsed]:
    return [contract.parse(path.read_bytes()) for path in CONTRACTS]


@pytest.fixture(scope="module")
def reports() -> list[Parsed]:
    return [filing.parse(path.read_bytes()) for path in REPORTS]


def in_order(parsed: Parsed) -> bool:
    pages = [number for _, number, _ in parsed.page_starts]
    offsets = [[start for start, *_ in group] for group in (parsed.page_starts, parsed.sections, parsed.tables)]
    inside = all(0 <= offset < len(parsed.text) for group in offsets for offset in group)
    return inside and pages == sorted(set(pages)) and all(group == sorted(group) for group in offsets)


@needs_contracts
def test_every_contract_parses_with_offsets_in_order(contracts: list[Parsed]) -> None:
    assert len(contracts) == 510
    assert all(parsed.text.strip() and in_order(parsed) for parsed in contracts)


@needs_contracts
def test_contracts_keep_hardly_any_page_mark_and_no_source_line(contracts: list[Parsed]) -> None:
    assert not any(re.search(r"Source: .*\d/\d{1,2}/(?:19|20)\d\d$", parsed.text, re.M) for parsed in contracts)
    left = sum(len(PAGE_LINE.findall(parsed.text)) for parsed in contracts)
    raw = sum(len(PAGE_LINE.findall(re.sub(r"[ \t]+", " ", path.read_text("utf-8")))) for path in CONTRACTS)
    assert left < 0.1 * raw, (left, raw)


@needs_contracts
def test_contracts_hold_no_mojibake_that_can_be_repaired(contracts: list[Parsed]) -> None:
    assert not any(MOJIBAKE.search(parsed.text) for parsed in contracts)


@needs_contracts
def test_a_contract_keeps_nearly_all_its_words(contracts: list[Parsed]) -> None:
    for path, parsed in zip(CONTRACTS, contracts, strict=True):
        before, after = len(path.read_text("utf-8").split()), len(parsed.text.split())
        assert 0.7 * before <= after <= before, path.name


@needs_contracts
def test_pages_of_contracts_have_the_length_of_pages(contracts: list[Parsed]) -> None:
    paged = [parsed for parsed in contracts if parsed.page_starts]
    assert len(paged) > 300
    for parsed in paged:
        assert len(parsed.text) / len(parsed.page_starts) < 12_000


@needs_reports
def test_every_report_parses_with_pages_labels_and_tables(reports: list[Parsed]) -> None:
    assert len(reports) == 30
    for parsed in reports:
        assert in_order(parsed)
        labelled = sum(label is not None for *_, label in parsed.page_starts)
        assert labelled >= 0.8 * len(parsed.page_starts) > 20
        assert all(start <= header_end < end for start, header_end, end in parsed.tables)


@needs_reports
def test_reports_hold_no_xbrl_and_no_running_lines(reports: list[Parsed]) -> None:
    for parsed in reports:
        assert not XBRL.search(parsed.text)
        assert len(re.findall(r"(?m)^Table\s+of\s+Contents$", parsed.text)) <= 2
        repeated = Counter(
            line for line in parsed.text.split("\n") if re.search(r"\d{4} Form 10-K|Annual Report \d", line)
        )
        assert not repeated or max(repeated.values()) < 5


@needs_reports
def test_the_expected_items_are_found_in_order(reports: list[Parsed]) -> None:
    wanted = found = 0
    for path, parsed in zip(REPORTS, reports, strict=True):
        expected = [
            entry["identifier"] for entry in json.loads((path.parent / "expected-top-level-sections.json").read_text())
        ]
        starts: dict[str, int] = {}
        for offset, number, _ in parsed.sections:
            starts.setdefault(number.removeprefix("Item "), offset)
        present = [starts[item] for item in expected if item in starts]
        assert present == sorted(present), path
        wanted, found = wanted + len(expected), found + len(present)
    assert found >= 0.95 * wanted, (found, wanted)


@needs_archive
def test_six_submissions_hold_thirteen_contracts() -> None:
    held = [
        [part for part in parts if part.type.startswith("EX-10")] for _, parts in submissions(ARCHIVES[0].read_bytes())
    ]
    exhibits = [part for parts in held for part in parts]
    assert (sum(bool(parts) for parts in held), len(exhibits)) == (6, 13)
    assert all(len(part.text) > 5_000 and "<PAGE>" not in part.text for part in exhibits)
