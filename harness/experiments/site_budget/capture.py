"""Capture ``site_budget``: what a first visit to each page of the site transfers, and what works without script."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from harness.capture.api import Capture, Determinism, Figure, JsonObject, Payload, Run
from harness.errors import HarnessError
from harness.experiments.site_budget.checklist import kept
from harness.experiments.site_budget.place import head, kind_of, sample_site, site_of
from harness.experiments.site_budget.visit import LEVEL, Visit, chromium, compressed, pages_of, served, visit

_WALKTHROUGH = re.compile(r'<figure class="wt[ "].*?</footer>\s*</figure>', re.DOTALL)
_STATE = re.compile(rb'<li class="wt-step[ "]')


def capture(run: Run) -> Payload:
    """Builds the site of the last commit, opens every page twice (script on, script off) and counts."""
    run.params["commit"] = "sample" if run.canary else head()
    with sample_site() if run.canary else site_of(run.params["commit"]) as folder:
        with served(folder) as address, chromium() as browser:
            run.params["chromium"] = "any" if run.canary else browser.version
            run.log(f"opening {len(pages_of(folder))} pages")
            scripted = {path: visit(browser, address, path, True) for path in pages_of(folder)}
            plain = {path: visit(browser, address, path, False) for path in pages_of(folder)}
        rows = [_row(folder, page, plain[page.path]) for page in scripted.values()]
        shared = _shared(folder, list(scripted.values()))
    result: JsonObject = {
        "pages": rows,
        "kinds": _kinds(rows),
        "shared": shared,
        "plain": kept(plain),
        "summary": _summary(rows, shared, plain),
    }
    return Payload(result, _figures(result))


def _row(folder: Path, page: Visit, plain: Visit) -> JsonObject:
    """One page; sizes in kilobytes of a thousand bytes, compressed but where it says raw."""
    contents = {file: (folder / file).read_bytes() for file in page.files if (folder / file).is_file()}
    html = contents.pop(page.path)
    written = len(_STATE.findall(html))
    if written != page.plain["states"] or written != plain.plain["states"]:
        raise HarnessError(f"{page.path}: {written} states in the file, {plain.plain['states']} in the page as opened")
    bare = _WALKTHROUGH.sub("", html.decode()).encode()
    beside = sum(map(compressed, contents.values()))
    return {
        "path": page.path,
        "kind": kind_of(page.path),
        "raw_kb": (len(html) + sum(map(len, contents.values()))) / 1000,
        "transfer_kb": (compressed(html) + beside) / 1000,
        "text_kb": compressed(bare) / 1000,
        "walkthrough_kb": (compressed(html) - compressed(bare)) / 1000,
        "style_kb": _sum(contents, ".css"),
        "script_kb": _sum(contents, ".js"),
        "requests": len(page.files),
        "requests_plain": len(plain.files),
        "foreign": page.foreign + plain.foreign,
        "states": plain.plain["states"],
    }


def _sum(contents: Mapping[str, bytes], ending: str) -> float:
    return sum(compressed(content) for file, content in contents.items() if file.endswith(ending)) / 1000


def _kinds(rows: Sequence[Mapping[str, Any]]) -> list[JsonObject]:
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["kind"], []).append(row)
    return [
        {
            "kind": kind,
            "pages": len(group),
            "least_kb": min(row["transfer_kb"] for row in group),
            "median_kb": median(row["transfer_kb"] for row in group),
            "most_kb": max(row["transfer_kb"] for row in group),
            "heaviest": max(group, key=lambda row: row["transfer_kb"])["path"],
            "most_requests": max(row["requests"] for row in group),
        }
        for kind, group in sorted(groups.items())
    ]


def _shared(folder: Path, pages: Sequence[Visit]) -> list[JsonObject]:
    """The files that every page asks for: a second page does not transfer them again."""
    common = set.intersection(*(set(page.files) for page in pages))
    return [
        {
            "file": file,
            "raw_kb": (folder / file).stat().st_size / 1000,
            "transfer_kb": compressed((folder / file).read_bytes()) / 1000,
        }
        for file in sorted(common)
    ]


def _summary(
    rows: Sequence[Mapping[str, Any]], shared: Sequence[Mapping[str, Any]], plain: Mapping[str, Visit]
) -> JsonObject:
    concepts = [row for row in rows if row["kind"] == "concept"]
    heaviest = max(concepts, key=lambda row: row["transfer_kb"])
    bare = [row["transfer_kb"] - row["walkthrough_kb"] for row in concepts]
    promises = kept(plain)
    return {
        "pages": len(rows),
        "concepts": len(concepts),
        "heaviest_concept_kb": heaviest["transfer_kb"],
        "heaviest_concept_raw_kb": heaviest["raw_kb"],
        "heaviest_concept_walkthrough_kb": heaviest["walkthrough_kb"],
        "median_concept_kb": median(row["transfer_kb"] for row in concepts),
        "heaviest_bare_kb": max(bare),
        "heaviest_page_kb": max(row["transfer_kb"] for row in rows),
        "shared_files": len(shared),
        "shared_kb": sum(file["transfer_kb"] for file in shared),
        "most_requests": max(row["requests"] for row in rows),
        "most_requests_plain": max(row["requests_plain"] for row in rows),
        "foreign": sum(row["foreign"] for row in rows),
        "states": sum(row["states"] for row in rows),
        "promises": len(promises),
        "promises_kept": sum(row["pages"] == row["kept"] for row in promises),
    }


_LABELS = {
    "pages": ("", "pages opened"),
    "concepts": ("", "concept pages opened"),
    "heaviest_concept_kb": ("kB", "compressed size of a first visit to the heaviest concept page"),
    "heaviest_concept_raw_kb": ("kB", "uncompressed size of a first visit to the heaviest concept page"),
    "heaviest_concept_walkthrough_kb": ("kB", "compressed size of the walkthroughs of the heaviest concept page"),
    "median_concept_kb": ("kB", "median compressed size of a first visit to a concept page"),
    "heaviest_bare_kb": ("kB", "most that a first visit to a concept page transfers without its walkthroughs"),
    "heaviest_page_kb": ("kB", "compressed size of a first visit to the heaviest page of any kind"),
    "shared_files": ("", "files that every page asks for"),
    "shared_kb": ("kB", "compressed size of the files that every page asks for"),
    "most_requests": ("", "most requests of a first visit"),
    "most_requests_plain": ("", "most requests of a first visit with scripting off"),
    "foreign": ("", "requests to another host, over all pages, with scripting on and off"),
    "states": ("", "walkthrough states over all pages"),
    "promises": ("", "promises that were asked of pages with scripting off"),
    "promises_kept": ("", "promises that every page kept with scripting off"),
}


def _figures(result: JsonObject) -> dict[str, Figure]:
    return {
        name: Figure(
            result["summary"][name],
            unit,
            label,
            digits=1 if unit else 0,
            at=f"/result/summary/{name}",
        )
        for name, (unit, label) in _LABELS.items()
    }


CAPTURE = Capture(
    name="site_budget",
    title="What a first visit transfers, and what is left without script",
    describes=(
        "Every page of this site as built from one commit, opened in headless Chromium with an empty cache: the files "
        "asked for, their size raw and after gzip, and what still works with scripting off."
    ),
    kind="measured",
    capture=capture,
    params={"gzip_level": LEVEL},
    caveats=(
        "Speaks of the site at the commit named in its settings. Later changes of text are not in it; that no page "
        "exceeds its budget is asked anew at every build.",
        "The page that shows these numbers and the page of this dataset are left out: they would measure themselves.",
        "Sizes are of the files compressed here; headers of the connection are not counted.",
    ),
    determinism=Determinism("tolerance", rel=0.02, abs=0.05),
    minutes=2.0,
)
