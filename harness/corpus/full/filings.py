"""SEC filings: annual reports on Form 10-K (tenant: the company) and full submissions of Form 8-K.

The annual reports are split into passages; the 8-K submissions are kept for deduplication alone, because they
hold exhibits inside filings. A company's name and fiscal year come from the document's own inline XBRL.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

from harness.corpus.full.entries import entry
from harness.errors import HarnessError

TEN_K = "raw.githubusercontent.com/alphanome-ai/sec-parser-test-data/3ebd96ca3ed1be529929d8bb4e1ad313dc59d0ce/10-K"
EIGHT_K = (
    "raw.githubusercontent.com/nlpaueb/edgar-crawler/6aeed66a6bc30639c0186eb8397bbd63b83210ab/"
    "tests/fixtures/RAW_FILINGS/8-K.zip"
)
LICENCE = "public filing on SEC EDGAR"
SUBMISSIONS = "edgar-8k-submissions"


def fact(raw: str, name: str) -> str:
    """The text of the first inline XBRL fact ``dei:name``, or ""."""
    found = re.search(rf'<ix:nonNumeric\b[^>]*\bname="dei:{name}"[^>]*>(.*?)</ix:nonNumeric>', raw, re.DOTALL)
    return html.unescape(re.sub(r"<[^>]+>", "", found[1])).strip() if found else ""


def select_filings(mirror: Path) -> list[dict[str, Any]]:
    """Manifest entries of every annual report in the mirror, by ticker, and of the archive of 8-K submissions."""
    made = []
    for path in sorted((mirror / TEN_K).glob("*/*/primary-document.html")):
        ticker = path.parent.parent.name
        raw = path.read_text("utf-8", errors="replace")
        company, year = fact(raw, "EntityRegistrantName"), fact(raw, "DocumentFiscalYearFocus")
        if not company:
            raise HarnessError(f"{path}: no dei:EntityRegistrantName in the document's inline XBRL")
        tenant = (f"sec-{ticker.lower()}", re.sub(r"\s+", " ", company))
        name = f"sec-{ticker.lower()}-{path.parent.name}"
        title = f"{company}: annual report (Form 10-K), fiscal year {year or 'not stated'}"
        made.append(entry(mirror, path, name=name, source="filing", title=title, tenant=tenant, licence=LICENCE))
    archive = mirror / EIGHT_K
    if archive.is_file():
        title = "Full submissions of Form 8-K, six filings in one archive"
        tenant = ("sec-8k", "Form 8-K submissions")
        made.append(
            entry(mirror, archive, name=SUBMISSIONS, source="submission", title=title, tenant=tenant, licence=LICENCE)
        )
    return made
