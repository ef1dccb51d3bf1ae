"""The server: who uses it, and which one is used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.store import Store, server

pytestmark = pytest.mark.database


def test_the_versions_of_postgresql_and_pgvector_are_recorded(store: Store) -> None:
    environment = store.environment()
    assert environment["server"] == "embedded"
    assert int(environment["postgresql"].split(".")[0]) >= 16
    assert environment["pgvector"].count(".") == 2


def test_a_killed_user_does_not_keep_the_server_running(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    listed = tmp_path / "pids.json"
    listed.write_text(json.dumps([gone.pid, os.getpid()]))
    server.forget_dead_users(listed)
    assert json.loads(listed.read_text()) == [os.getpid()]


def test_a_server_without_a_list_of_users_is_left_alone(tmp_path: Path) -> None:
    server.forget_dead_users(tmp_path / "absent.json")
    assert list(tmp_path.iterdir()) == []


def test_database_url_names_the_server_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://nobody@127.0.0.1:1/none")
    named = server.start()
    assert not named.embedded
    with pytest.raises(server.StoreUnavailable, match="no connection to PostgreSQL"):
        named.connect()


def test_a_role_that_is_only_switched_to_is_bound_by_the_policy_too(store: Store) -> None:
    elsewhere = Store(server.Server(store.server.uri, embedded=False), store.schema)
    with elsewhere.application() as conn:
        assert conn.execute("SELECT current_user, session_user").fetchone() == (server.APPLICATION_ROLE, "postgres")
        assert conn.execute("SELECT count(*) FROM chunk").fetchone() == (0,)
