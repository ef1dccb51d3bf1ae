"""The rules of ``python -m checks data``, as lists and code scanning show them."""

from __future__ import annotations

from collections.abc import Mapping

DATA_RULES: Mapping[str, tuple[str, str]] = {
    "json": ("error", "The file is a JSON object."),
    "provenance": ("error", "The dataset says what made it."),
    "schema": ("error", "The block has the shape of block.schema.json."),
    "name": ("error", "Name, file and schema agree."),
    "script": ("error", "The script that made it is there, is its capture, and is among the hashed code."),
    "command": ("error", "The command that makes it again is that of a registered capture."),
    "dirty": ("error", "It was captured from committed code and inputs."),
    "stale": ("error", "Code and inputs are those it was captured from (a warning while its stale_ok holds)."),
    "equivalent": ("warning", "Code changed since, and the canary run still gives the same."),
    "edited": ("error", "Nobody edited the file by hand."),
    "figure-pointer": ("error", "A figure equals the place in the result that it names."),
    "table": ("error", "A declared table leads to rows that have what its columns name, under names used once."),
    "timing": ("error", "A reading that varies has its sample and interval, and names processor and cores."),
    "excerpt": ("error", "An excerpt names its document and licence and is short."),
    "one-run": ("error", "All rows come from one run."),
    "commit": ("error", "The commit is in the history (a warning where there was no version control)."),
    "commit-skipped": ("warning", "There was no history to look the commit up in."),
}
"""Id → level and sentence."""
