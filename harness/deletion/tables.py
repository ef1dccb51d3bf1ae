"""The tables of the store that documents are deleted from, beside the store itself, and the guard over them.

``document`` (what there is), ``vector_row`` (embedding and text, as a vector store keeps them), ``lexical_row``
(tsvector), ``answer`` with ``answer_source`` (cached answers and every passage that was in their context), and
``tombstone``: what was deleted, and may not come back. A trigger on every table refuses rows of a document with a
tombstone, whoever writes them. It takes a shared lock on the document's name and `delete` an exclusive one, so that a
writer who began before the deletion cannot finish after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from harness.store import Store
from harness.store.load import BUILD_MEMORY, copy_rows
from harness.store.schema import DIMENSIONS, HNSW_EF_CONSTRUCTION, HNSW_M
from harness.store.server import APPLICATION_ROLE, Connection, prepare_connection

Log = Callable[[str], None]

#: Surface inside the database → the table that is emptied of a document. (Sources go with their answer.)
TABLES: dict[str, str] = {"vectors": "vector_row", "lexical": "lexical_row", "answers": "answer"}
HNSW, GIN = "vector_row_hnsw", "lexical_row_gin"

_CREATE = f"""
CREATE SCHEMA {{s}};
CREATE TABLE {{s}}.document (id text COLLATE "C" PRIMARY KEY, sha256 text NOT NULL);
CREATE TABLE {{s}}.vector_row (
  chunk text COLLATE "C" PRIMARY KEY, doc text COLLATE "C" NOT NULL, text text NOT NULL,
  embedding vector({DIMENSIONS}) STORAGE PLAIN NOT NULL
) WITH (autovacuum_enabled = false);
CREATE TABLE {{s}}.lexical_row (
  chunk text COLLATE "C" PRIMARY KEY, doc text COLLATE "C" NOT NULL, tsv tsvector NOT NULL
) WITH (autovacuum_enabled = false);
CREATE TABLE {{s}}.answer (question text COLLATE "C" PRIMARY KEY, quote text NOT NULL);
CREATE TABLE {{s}}.answer_source (
  question text COLLATE "C" NOT NULL REFERENCES {{s}}.answer ON DELETE CASCADE,
  chunk text COLLATE "C" NOT NULL, doc text COLLATE "C" NOT NULL, quoted boolean NOT NULL, PRIMARY KEY (question, chunk)
);
CREATE TABLE {{s}}.tombstone (
  doc text COLLATE "C" PRIMARY KEY, sha256 text NOT NULL, reason text NOT NULL,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON {{s}}.vector_row (doc);
CREATE INDEX ON {{s}}.lexical_row (doc);
CREATE INDEX ON {{s}}.answer_source (doc);
CREATE INDEX ON {{s}}.tombstone (sha256);
"""

_INDEXES = f"""
CREATE INDEX {HNSW} ON {{s}}.vector_row USING hnsw (embedding vector_cosine_ops)
WITH (m = {HNSW_M}, ef_construction = {HNSW_EF_CONSTRUCTION});
CREATE INDEX {GIN} ON {{s}}.lexical_row USING gin (tsv);
"""

_GUARD = """
CREATE FUNCTION {s}.refuse_deleted() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('{s}'), hashtext(NEW.doc));
  IF EXISTS (SELECT FROM {s}.tombstone WHERE doc = NEW.doc) THEN
    RAISE EXCEPTION 'document % was deleted and may not come back', NEW.doc USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION {s}.refuse_copy() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtext('{s}'), hashtext(NEW.id));
  IF EXISTS (SELECT FROM {s}.tombstone WHERE doc = NEW.id OR sha256 = NEW.sha256) THEN
    RAISE EXCEPTION 'document % was deleted and may not come back', NEW.id USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON {s}.document FOR EACH ROW EXECUTE FUNCTION {s}.refuse_copy();
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON {s}.vector_row FOR EACH ROW EXECUTE FUNCTION {s}.refuse_deleted();
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON {s}.lexical_row FOR EACH ROW EXECUTE FUNCTION {s}.refuse_deleted();
CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON {s}.answer_source FOR EACH ROW EXECUTE FUNCTION {s}.refuse_deleted();
GRANT USAGE ON SCHEMA {s} TO {app};
GRANT SELECT ON ALL TABLES IN SCHEMA {s} TO {app};
"""


def schema_of(store: Store) -> str:
    """The PostgreSQL schema beside the store's own."""
    return f"{store.schema}__deletion"


def create(store: Store, documents: Iterable[tuple[str, str]], log: Log) -> None:
    """Make the tables anew and fill them from the store's rows; `documents` are pairs of id and checksum.

    The guard is switched on after the rows are in: a bulk load of what never was deleted need not ask for each row.
    """
    schema = schema_of(store)
    with store.maintenance() as conn:
        conn.execute(f"DROP SCHEMA IF EXISTS {schema} CASCADE".encode())
        with conn.transaction():
            conn.execute(_CREATE.format(s=schema).encode())
            copy_rows(conn, f"COPY {schema}.document", ["text", "text"], documents)
            for table, columns in (("vector_row", "id, doc, text, embedding"), ("lexical_row", "id, doc, tsv")):
                statement = f"INSERT INTO {schema}.{table} SELECT {columns} FROM {store.schema}.chunk ORDER BY id"
                conn.execute(statement.encode())
            conn.execute("SELECT set_config('maintenance_work_mem', %s, true)", [BUILD_MEMORY])
            conn.execute("SELECT set_config('max_parallel_maintenance_workers', '0', true)")
            conn.execute(_INDEXES.format(s=schema).encode())
            conn.execute(_GUARD.format(s=schema, app=APPLICATION_ROLE).encode())
        for table in ("document", *TABLES.values()):
            conn.execute(f"VACUUM (ANALYZE) {schema}.{table}".encode())
    log(f"deletion: tables and indexes are made in {schema}")


def drop(store: Store) -> None:
    """Remove the tables."""
    with store.maintenance() as conn:
        conn.execute(f"DROP SCHEMA IF EXISTS {schema_of(store)} CASCADE".encode())


def connect(store: Store, *, user: str | None = None) -> Connection:
    """Open a connection on the tables: to change them, or with `user` to read only."""
    return prepare_connection(store.server.connect(user=user, search_path=schema_of(store)))


def cache(conn: Connection, question: str, quote: str, sources: Sequence[tuple[str, str, bool]]) -> None:
    """Keep an answer with every passage of its context: (chunk, document, whether it was quoted), in one transaction.

    Raises psycopg.errors.CheckViolation when one of them was deleted while the answer was made.
    """
    with conn.transaction(), conn.cursor() as cursor:
        cursor.execute("INSERT INTO answer VALUES (%s, %s)", [question, quote])
        rows = [(question, chunk, doc, quoted) for chunk, doc, quoted in sources]
        cursor.executemany("INSERT INTO answer_source VALUES (%s, %s, %s, %s)", rows)
