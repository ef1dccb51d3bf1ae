"""The scalars of ``acquisition`` that prose may cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from harness.capture.api import Figure

BUCKETS = {"full": "a bucket that starts full", "strict": "capacity one"}
STATES = {"fetched": "fetched", "present": "found whole already", "refused": "refused", "postponed": "postponed"}


def figures(result: Mapping[str, Any], opening: Mapping[str, Any]) -> dict[str, Figure]:
    """Every figure: those of ``result`` point into it, those of the opening second are medians over runs."""
    return {
        **_schedule(result["schedule"]),
        **_opening(opening["runs"]),
        **_faults(result["faults"]),
        **_quota(result["quota"]),
        **_restart(result["restart"]),
    }


def _schedule(schedule: Mapping[str, Any]) -> dict[str, Figure]:
    made = {}
    for bucket, words in BUCKETS.items():
        for key, when in (("first_second", "first"), ("second_second", "second")):
            made[f"scheduled_{key.removesuffix('_second')}_{bucket}"] = Figure(
                schedule[bucket][key], "", f"requests that {words} lets go in its {when} second by the rule",
                at=f"/result/schedule/{bucket}/{key}",
            )  # fmt: skip
    return made


def _opening(rows: Sequence[Mapping[str, Any]]) -> dict[str, Figure]:
    """Medians over the repeated runs with the smallest and largest; none of them is compared between captures."""
    told = {
        "first_second": ("open", "requests that left in the first second, {}", "", 0),
        "refused": ("limited", "requests that the limited server answered with 429, {}", "", 0),
        "requests": ("limited", "requests in all against the limited server, {}", "", 0),
        "seconds": ("limited", "time to the last document from the limited server, {}", "s", 2),
    }
    made = {}
    for key, (server, label, unit, digits) in told.items():
        for bucket, words in BUCKETS.items():
            seen = [row[key] for row in rows if (row["server"], row["bucket"]) == (server, bucket)]
            made[f"{key}_{bucket}"] = Figure(
                median(seen), unit, f"{label.format(words)} (median, smallest and largest of the runs)", digits,
                n=len(seen), interval=(min(seen), max(seen)), volatile=True,
            )  # fmt: skip
    return made


def _faults(faults: Mapping[str, Any]) -> dict[str, Figure]:
    made = {
        f"faults_{key}": Figure(value, "", f"run with a fault a document: {key}", at=f"/result/faults/summary/{key}")
        for key, value in faults["summary"].items()
    }
    made |= {
        f"again_{key}": Figure(value, "", f"the run after it: {STATES.get(key, key)}", at=f"/result/faults/again/{key}")
        for key, value in faults["again"].items()
    }
    for number, row in enumerate(faults["cases"]):
        at, name = f"/result/faults/cases/{number}", row["case"]
        made[f"requests_{name}"] = Figure(
            row["requests"], "", f"requests for the document with: {row['label']}", at=f"{at}/requests"
        )
        if name.startswith("cut"):
            made[f"sent_{name}"] = Figure(
                row["sent"], "bytes", f"body bytes sent for the document with: {row['label']}", at=f"{at}/sent"
            )
            made[f"bytes_{name}"] = Figure(
                row["bytes"], "bytes", f"length of the document with: {row['label']}", at=f"{at}/bytes"
            )
    return made


def _quota(quota: Mapping[str, Any]) -> dict[str, Figure]:
    runs = {
        "stopped": "the run that stops at a quota",
        "retried": "the run that takes the quota for transient",
        "next_day": "the next day's run",
    }
    made = {
        "quota_documents": Figure(
            quota["documents"], "", "documents wanted under a quota", at="/result/quota/documents"
        )
    }
    for run, words in runs.items():
        for key in ("requests", "answered_429", *STATES):
            said = {"requests": "requests", "answered_429": "requests answered with 429"}.get(
                key, f"documents {STATES.get(key)}"
            )
            made[f"{run}_{key}"] = Figure(quota[run][key], "", f"{said}, {words}", at=f"/result/quota/{run}/{key}")
    made["retried_waited"] = Figure(
        quota["retried"]["waited"],
        "s",
        "back-off that the retrying run would have slept",
        1,
        at="/result/quota/retried/waited",
    )
    return made


def _restart(restart: Mapping[str, Any]) -> dict[str, Figure]:
    labels = {
        "documents": "documents wanted by the killed run",
        "kills": "times the run was killed within a body",
        "resumed": "bodies resumed from the byte they had reached",
        "requests": "requests of the killed runs and the last one together",
        "requests_unbroken": "requests of the unbroken run",
        "equal": "documents equal byte by byte after the killed and the unbroken run",
        "left_over": "files in the cache that are no document of the list",
    }
    made = {
        f"restart_{key}": Figure(restart[key], "", label, at=f"/result/restart/{key}") for key, label in labels.items()
    }
    for key, label in (("bytes", "the killed runs and the last one"), ("bytes_unbroken", "the unbroken run")):
        made[f"restart_{key}"] = Figure(
            restart[key], "bytes", f"body bytes sent to {label}", at=f"/result/restart/{key}"
        )
    return made
