"""The scalars of `rls_bypasses` that prose may cite."""

from __future__ import annotations

from harness.capture.api import Figure, JsonObject


def figures(result: JsonObject, timings: JsonObject) -> dict[str, Figure]:
    """Return every figure of the dataset, each pointing at the place in the result where it stands."""
    found: dict[str, Figure] = {}
    for key, label in (
        ("chunks", "chunks in the store"),
        ("documents", "documents in the store"),
        ("tenants", "tenants in the store"),
        ("own", "chunks of the reader's tenant"),
        ("foreign", "chunks of other tenants"),
    ):
        found[key] = Figure(result["population"][key], "", label, at=f"/result/population/{key}")
    for i, row in enumerate(result["roles"]):
        said, at = row["who"], f"/result/roles/{i}"
        found[f"chunks_{row['role']}"] = Figure(row["chunks"], "", f"chunks seen, {said}", at=f"{at}/chunks")
        found[f"foreign_{row['role']}"] = Figure(
            row["foreign"],
            "",
            f"chunks of other tenants seen, {said}",
            at=f"{at}/foreign",
        )
    refused = sum(row["refusal"] is not None for row in result["roles"])
    found["roles_refused"] = Figure(refused, "roles", "kinds of role that the harness refuses to measure as")
    for i, row in enumerate(result["forms"]):
        said, at = row["condition"], f"/result/forms/{i}"
        for key, label in (
            ("chunks", "chunks the reader sees"),
            ("foreign", "chunks it sees that it may not see"),
            ("unset", "chunks seen with no principal named"),
            ("widened", "chunks it sees after changing its own setting"),
            ("acl", "rows of the access-control list it can read"),
        ):
            found[f"form_{key}_{row['form']}"] = Figure(row[key], "", f"{label}; policy {said}", at=f"{at}/{key}")
    for i, row in enumerate(timings["forms"]):
        found[f"form_latency_{row['form']}"] = Figure(
            row["p50"], "ms", f"counting all visible chunks, median, policy form {row['form']}", 1, row["n"],
            (row["p05"], row["p95"]), f"/timings/forms/{i}/p50", volatile=True,
        )  # fmt: skip
    for i, row in enumerate(result["access_list"]):
        for key in ("rows", "principals", "tenants"):
            found[f"acl_{key}_{row['state']}"] = Figure(
                row[key], "", f"{key} of the access-control list that a reader learns, {row['state']}",
                at=f"/result/access_list/{i}/{key}",
            )  # fmt: skip
    for i, row in enumerate(result["ways"]):
        for state in ("opened", "closed"):
            found[f"way_{state}_{row['way']}"] = Figure(
                row[state]["foreign"], "", f"chunks of other tenants seen through {row['what']}, {state}",
                at=f"/result/ways/{i}/{state}/foreign",
            )  # fmt: skip
    for i, row in enumerate(result["attempts"]):
        said = f"attempt by {row['attempt']}" + (", the control" if row["control"] else "")
        found[f"leaked_{row['attempt']}"] = Figure(
            row["foreign"], "", f"chunks of other tenants told of, {said}", at=f"/result/attempts/{i}/foreign"
        )
    for i, row in enumerate(result["metadata"]):
        found[f"metadata_{row['look']}"] = Figure(row["value"], "", row["what"], at=f"/result/metadata/{i}/value")
    found["estimates_tell"] = Figure(
        result["estimates_tell"], "", "whether EXPLAIN expects more rows of a hidden tenant than of none",
        at="/result/estimates_tell",
    )  # fmt: skip
    for i, row in enumerate(result["prepared_roles"]):
        found[f"prepared_{row['role']}"] = Figure(
            row["chunks"], "", f"chunks a statement prepared by a superuser shows, executed as {row['role']}",
            at=f"/result/prepared_roles/{i}/chunks",
        )  # fmt: skip
    for i, row in enumerate(result["lifetime"]):
        found[f"lifetime_{i + 1}"] = Figure(
            row["chunks"], "", f"chunks seen {row['moment']}", at=f"/result/lifetime/{i}/chunks"
        )
    return found
