"""What goes round the row policy, what cannot see through it, and when a principal ends."""

from __future__ import annotations

import pytest

from harness.experiments.rls_bypasses import forms, leaks, readers, ways
from harness.experiments.rls_bypasses.common import Subject
from harness.store import Store

pytestmark = pytest.mark.database

SUBJECT = Subject("bees", "delta")


def test_only_roles_that_the_policy_binds_may_measure(store: Store) -> None:
    found = {row["role"]: row for row in readers.roles(store, SUBJECT)}
    seen = {role: (row["chunks"], row["foreign"]) for role, row in found.items()}
    assert seen == {
        "superuser": (120, 90),
        "bypassrls": (120, 90),
        "owner": (120, 90),
        "owner_forced": (0, 0),
        "application_unset": (0, 0),
        "application": (30, 0),
        "application_all": (120, 90),
    }
    refused = {role for role, row in found.items() if row["refusal"]}
    assert refused == {"superuser", "bypassrls", "owner"}


def test_a_principal_lasts_as_long_as_its_transaction(store: Store) -> None:
    assert [(row["setting"], row["chunks"]) for row in readers.lifetime(store, SUBJECT)] == [
        (None, 0),
        ("only:bees", 30),
        ("", 0),
        ("", 0),
    ]


def test_a_prepared_statement_shows_what_the_present_principal_may_see(store: Store) -> None:
    found = readers.prepared(store, SUBJECT)
    assert [(row["principal"], row["chunks"], row["foreign"]) for row in found] == [
        ("only:bees", 30, 0),
        ("", 0, 0),
        ("all", 120, 90),
        ("only:bees", 30, 0),
    ]
    assert found[0]["custom_plans"] == 5 and found[0]["generic_plans"] > 0


def test_a_statement_prepared_by_a_superuser_is_bound_by_the_policy_for_the_next_role(store: Store) -> None:
    found = readers.prepared_across_roles(store, SUBJECT)
    assert [(row["role"], row["chunks"], row["foreign"]) for row in found] == [
        ("superuser", 120, 90),
        ("zeroth_app", 30, 0),
    ]


def test_every_form_of_the_policy_shows_the_same_rows_and_one_of_them_opens_the_list(store: Store) -> None:
    rows, _ = forms.forms(store, SUBJECT, repeats=2)
    assert {(row["chunks"], row["foreign"], row["unset"], row["widened"]) for row in rows} == {(30, 0, 0, 120)}
    assert [row["form"] for row in rows if row["acl"]] == ["acl_subquery"]
    assert all("permission denied" in row["acl_refused"] for row in rows if not row["acl"])


def test_the_access_control_list_cannot_be_enumerated(store: Store) -> None:
    granted, closed, function = forms.access_list(store, SUBJECT)
    assert granted["principals"] == 5 and granted["tenants"] == 4
    assert closed["rows"] == 0 and closed["error"] == "permission denied for table acl"
    assert (function["rows"], function["tenants"]) == (1, 1)


def test_every_way_round_the_policy_is_open_until_it_is_closed(store: Store) -> None:
    found = {row["way"]: row for row in ways.taken(store, SUBJECT)}
    opened = {way: row["opened"]["foreign"] for way, row in found.items()}
    assert opened == {
        "view": 90,
        "materialized_view": 90,
        "partition": 30,
        "partition_policy": 30,
        "partition_parent": 0,
        "definer_function": 90,
    }
    assert all(row["closed"]["foreign"] == 0 for row in found.values())
    assert found["view"]["closed"]["rows"] == found["definer_function"]["closed"]["rows"] == 30
    assert "permission denied" in found["materialized_view"]["closed"]["error"]


def test_no_condition_tells_of_a_hidden_row_unless_a_superuser_called_it_leakproof(store: Store) -> None:
    found = {row["attempt"]: row for row in leaks.attempts(store, SUBJECT)}
    assert {attempt: row["foreign"] for attempt, row in found.items()} == {
        "function": 0,
        "operator": 0,
        "division": 0,
        "cast": 0,
        "order": 0,
        "leakproof": 90,
    }
    assert found["function"]["reported"] == found["operator"]["reported"] == 30
    assert all(row["error"] is None for row in found.values())


def test_plans_and_catalogs_tell_how_much_is_hidden(store: Store) -> None:
    told = {row["look"]: row["value"] for row in leaks.metadata(store, SUBJECT)}
    assert told == {"rows_removed": 90, "reltuples": 120, "statistics": 0}
    expected = leaks.estimates(store, SUBJECT)
    assert expected["other"] >= expected["nobody"] >= 1


def test_asking_changes_nothing(store: Store) -> None:
    def state() -> list[object]:
        with store.maintenance() as conn:
            return [
                conn.execute("SELECT policyname, roles, qual FROM pg_policies ORDER BY 1, 2").fetchall(),
                conn.execute("SELECT relname, relacl FROM pg_class WHERE relnamespace = %s::regnamespace ORDER BY 1",
                             [store.schema]).fetchall(),
            ]  # fmt: skip

    before = state()
    readers.roles(store, SUBJECT)
    ways.taken(store, SUBJECT)
    leaks.attempts(store, SUBJECT)
    assert state() == before
