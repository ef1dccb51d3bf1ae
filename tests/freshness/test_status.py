"""The page names the documents that their publisher retired without a successor; the publisher's index decides."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from harness.corpus.manifest import read_manifest
from harness.freshness.validity import register
from harness.paths import FULL_MANIFEST

ROOT = Path(__file__).resolve().parents[2]
MIRROR = Path(os.environ.get("ZEROTH_MIRROR") or ROOT.parent / "shared" / "mirror") / "www.rfc-editor.org" / "rfc"
PAGE = ROOT / "content/concepts/documents/freshness.md"


@pytest.mark.skipif(not MIRROR.is_dir(), reason="needs the publisher's metadata in ZEROTH_MIRROR")
def test_the_page_names_every_current_document_with_the_status_historic() -> None:
    entries = read_manifest(FULL_MANIFEST)
    states = register(entries).states
    retired = {
        entry.id
        for entry in entries
        if states[entry.id] == "current"
        and json.loads((MIRROR / f"{entry.id}.json").read_text(encoding="utf-8"))["status"] == "HISTORIC"
    }
    named = re.search(r"RFCs ([\d, and]+) are such documents", PAGE.read_text(encoding="utf-8").replace("\n", " "))
    assert named is not None
    assert {f"rfc{number}" for number in re.findall(r"\d+", named[1])} == retired
