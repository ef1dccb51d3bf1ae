"""The full corpus as a rule that can be run again over a mirror: select, count passages, fold small tenants, write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from harness.chunking.fixed import Window
from harness.corpus.full.contracts import select_contracts
from harness.corpus.full.entries import mirrored
from harness.corpus.full.filings import select_filings
from harness.corpus.full.fold import folded
from harness.corpus.full.rfcs import select_full_rfcs
from harness.corpus.load import Stage
from harness.corpus.manifest import entry_of
from harness.corpus.parse import PARSERS
from harness.embedding.model import load_embedder
from harness.paths import cache_dir
from harness.progress import bar


def count_passages(documents: list[dict[str, Any]], mirror: Path) -> dict[str, int]:
    """Document id → how many fixed windows it makes; documents that are not split into passages are left out."""
    stage, progress, counts = Stage(cache_dir(), load_embedder(), Window()), bar("count passages"), {}
    for done, document in enumerate(documents, start=1):
        if document["source"] in PARSERS:
            raw = mirrored(mirror, document["url"]).read_bytes()
            counts[document["id"]] = len(stage.made(entry_of(document), raw)[1])
        progress(done, len(documents))
    return counts


def write_full_manifest(mirror: Path, out: Path) -> int:
    """Write the full corpus' manifest to ``out``, one document a line; returns how many documents it names."""
    documents = [*select_full_rfcs(mirror), *select_contracts(mirror), *select_filings(mirror)]
    made = folded(documents, count_passages(documents, mirror))
    lines = ",\n".join(json.dumps(document, ensure_ascii=False) for document in made)
    out.write_text(f'{{"version": 1, "documents": [\n{lines}\n]}}\n', "utf-8")
    return len(made)
