"""The trees that Chromium builds of the cases, kept as a file: ``python -m harness.experiments.nesting.chromium``.

A browser is too much to ask of everybody who captures, so its reading is an input with the version it was made with.
Needs playwright and a Chromium; ``CHROMIUM`` names another executable than ``/usr/bin/chromium``.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any
from urllib.parse import quote

from harness.errors import HarnessError
from harness.experiments.nesting import trees
from harness.experiments.nesting.cases import Case, read_cases
from harness.paths import ROOT
from provenance.canonical import pretty

RECORDED = "data/nesting/chromium.json"
COMMAND = "python -m harness.experiments.nesting.chromium"
_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
_READ = """() => {
  const read = (node) => [...(node.content ?? node).childNodes].flatMap((child) =>
    child.nodeType === Node.ELEMENT_NODE ? [[child.localName, read(child)]]
      : child.nodeType === Node.TEXT_NODE ? [["#text", child.data]] : []);
  return read(document.body);
}"""


def recorded(cases: list[Case]) -> tuple[str, dict[str, trees.Nodes]]:
    """The version of the recorded browser and its tree of each case; HarnessError when made of other documents."""
    try:
        kept = json.loads((ROOT / RECORDED).read_text("utf-8"))
    except OSError as error:
        raise HarnessError(f"{RECORDED}: {error.strerror}; run: {COMMAND}") from error
    found = {entry["id"]: entry for entry in kept["cases"]}
    for case in cases:
        if found.get(case.id, {}).get("html") != case.html:
            raise HarnessError(f"{RECORDED}: made of another document than the case {case.id!r}; run: {COMMAND}")
    return kept["version"], {case.id: trees.from_json(found[case.id]["tree"]) for case in cases}


def read(cases: list[Case], browser: Any) -> dict[str, Any]:
    """What an open Chromium makes of each case, loaded as a page with scripting on."""
    entries = []
    page = browser.new_page()
    for case in cases:
        page.goto(f"data:text/html;charset=utf-8,{quote(case.page)}")
        tree = trees.tidy(trees.from_json(page.evaluate(_READ)))
        entries.append({"id": case.id, "html": case.html, "tree": tree})
    page.close()
    return {"browser": "Chromium", "version": browser.version, "made_by": COMMAND, "cases": entries}


def main() -> int:
    """Entry: writes the file and says how many cases it holds."""
    from playwright.sync_api import sync_playwright

    from harness.paths import write_atomically

    executable = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as driver:
        made = read(read_cases(), driver.chromium.launch(executable_path=executable, args=_FLAGS))
    write_atomically(ROOT / RECORDED, pretty(json.loads(json.dumps(made))))
    print(f"{RECORDED}: {len(made['cases'])} cases, Chromium {made['version']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
