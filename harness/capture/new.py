"""The files that a new dataset begins with: capture, test, walkthrough and page, ready to be filled in.

The capture runs as it is, so that what follows is changes to something that works. Nothing is registered: a folder of
``harness/experiments/`` is a capture, a folder of ``content/walkthroughs/`` belongs to the dataset of its name.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from pathlib import Path

from harness.errors import HarnessError
from harness.paths import ROOT

CAPTURE = '''"""Capture ``{name}``: what is measured, how, and what the number does not say."""

from __future__ import annotations

from harness.capture.api import Capture, JsonObject, Payload, Run
from harness.capture.tables import Column, Table, counts
from harness.measuring.population import sizes_in


def capture(run: Run) -> Payload:
    """Count the chunks of each tenant."""
    rows = [{{"tenant": tenant, "chunks": chunks}} for tenant, chunks in sorted(sizes_in(run.corpus).items())]
    result: JsonObject = {{"population": {{"chunks": len(run.corpus.chunks), "tenants": len(rows)}}, "tenants": rows}}
    return Payload(result)


TABLES = (
    counts("/result/population", {{"chunks": "chunks in the store", "tenants": "tenants in the store"}}),
    Table("/result/tenants", [Column("chunks_of", "chunks", "chunks of tenant {{row}}")], "{{tenant}}", "{{tenant}}"),
)

CAPTURE = Capture(
    name="{name}",
    title="{title}",
    describes="One sentence: what was measured, on which population, under which conditions.",
    kind="measured",
    capture=capture,
    tables=TABLES,
    params={{}},
    canary_params={{}},
    caveats=("What a reader must know wherever a number of this dataset is printed.",),
    minutes=1.0,
    corpus="full",
)
'''

TEST = '''"""The capture ``{name}`` on the small corpus."""

from __future__ import annotations

from harness.capture.canary_corpus import canary_corpus
from harness.experiments.{name}.capture import CAPTURE
from tests.captures import captured, declared


def test_every_chunk_is_of_one_tenant() -> None:
    found = declared(CAPTURE, captured(CAPTURE, canary_corpus()))
    assert sum(row["chunks"] for row in found["result"]["tenants"]) == found["figures"]["chunks"]["value"]
'''

WALKTHROUGH = """---
title: The one question that this walkthrough answers?
figures: [chunks, tenants]
---
One or two sentences: what is shown, on which chunks.

## What the untouched first view shows {{#first}}

The store holds {{fig}}`{name}.chunks` chunks of {{fig}}`{name}.tenants` tenants.

```{{bars}} /result/tenants
title: "Chunks per tenant"
label: tenant
value: chunks
```
"""

PAGE = """---
title: {title}
slug: {slug}
summary: What was found, in one or two sentences.
aliases: []
prerequisites: []
related: []
datasets: [{name}]
claims:
  - says: A sentence of this page that must go on being true.
    holds: {name}.chunks > {name}.tenants
---
The finding, as a plain assertion with its number: the store holds {{fig}}`{name}.chunks` chunks.

```{{walkthrough}} {slug}
```
"""


def files(name: str, section: str) -> dict[str, str]:
    """Return path → text of every file; `section` is a folder of ``content/concepts/``."""
    slug, title = name.replace("_", "-"), name.replace("_", " ").capitalize()
    folder = f"harness/experiments/{name}"
    words = {"name": name, "slug": slug, "title": title}
    made = {
        f"{folder}/__init__.py": '"""The dataset ``{name}``."""\n',
        f"{folder}/capture.py": CAPTURE,
        f"tests/experiments/test_{name}.py": TEST,
        f"content/walkthroughs/{name}/{slug}.md": WALKTHROUGH,
        f"content/concepts/{section}/{slug}.md": PAGE,
    }
    return {path: text.format(**words) for path, text in made.items()}


def write(name: str, section: str, root: Path = ROOT) -> list[str]:
    """Write the files of a new dataset; return their paths.

    HarnessError for a name that is none, or taken, and for a section that does not exist.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise HarnessError(f"{name}: a dataset's name has lower-case letters, digits and underscores")
    sections = sorted(path.name for path in (root / "content/concepts").iterdir() if path.is_dir())
    if section not in sections:
        raise HarnessError(f"{section}: no such section; known: {', '.join(sections)}")
    made = files(name, section)
    taken = [path for path in made if (root / path).exists()]
    if taken:
        raise HarnessError(f"{taken[0]} exists; choose another name")
    for path, text in made.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return list(made)


def main(argv: Sequence[str] | None = None) -> int:
    """Entry of the command: 0; HarnessError as `write`."""
    parser = argparse.ArgumentParser(
        prog="python -m harness new",
        description="Write the files that a new dataset begins with: capture, test, walkthrough, page.",
        epilog="example: python -m harness new query_rewriting --section retrieval",
    )
    parser.add_argument("name", metavar="NAME", help="the dataset, such as filter_remedies")
    parser.add_argument("--section", default="retrieval", help="folder of content/concepts/ (default: retrieval)")
    args = parser.parse_args(argv)
    for path in write(args.name, args.section):
        print(path)
    print(f'next: python -m harness canary {args.name}; then see CONTRIBUTING.md, "Add a dataset"')
    return 0
