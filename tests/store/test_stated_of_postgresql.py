"""What pages say of PostgreSQL and pgvector beside their datasets: each is run against the real server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import psycopg
import pytest

from harness.store.server import Server

pytestmark = pytest.mark.database

PARTITIONS = 12
NEAREST = "SELECT id FROM parted WHERE {} ORDER BY embedding <=> '[1,1,0,0]' LIMIT 5"


@pytest.fixture(scope="module")
def conn(server: Server) -> Iterator[psycopg.Connection]:
    """A connection with a table of twelve partitions and an HNSW index, which end with it."""
    with server.connect() as opened:
        opened.execute("CREATE EXTENSION IF NOT EXISTS vector")
        opened.execute("CREATE TEMP TABLE parted (id int, tenant text, embedding vector(4)) PARTITION BY LIST (tenant)")
        for at in range(PARTITIONS):
            opened.execute(f"CREATE TEMP TABLE parted_{at} PARTITION OF parted FOR VALUES IN ('t{at}')")
        opened.execute(
            "INSERT INTO parted "
            f"SELECT at, 't' || mod(at, {PARTITIONS}), ARRAY[sin(at), cos(at), sin(2 * at), cos(3 * at)]::vector(4) "
            "FROM generate_series(1, 6000) AS at"
        )
        opened.execute("CREATE INDEX ON parted USING hnsw (embedding vector_cosine_ops)")
        opened.execute("ANALYZE parted")
        yield opened


def scanned(conn: psycopg.Connection, condition: str, types: str, values: str, mode: str) -> int:
    """How many partitions a prepared search scans when it is executed under a ``plan_cache_mode``."""
    conn.execute(f"SET plan_cache_mode = {mode}")
    conn.execute(f"PREPARE nearest ({types}) AS {NEAREST.format(condition)}")
    lines = [str(row[0]) for row in conn.execute(f"EXPLAIN (ANALYZE, COSTS OFF) EXECUTE nearest ({values})")]
    conn.execute("DEALLOCATE nearest")
    return sum(bool(re.search(r"Scan .*on parted_\d+", line)) and "never executed" not in line for line in lines)


@pytest.mark.parametrize(
    ("condition", "types", "values", "custom", "generic"),
    [
        ("tenant = ANY ($1)", "text[]", "'{t3}'", 1, PARTITIONS),
        ("tenant = $1", "text", "'t3'", 1, 1),
        ("tenant IN ($1, $2)", "text, text", "'t3', 't4'", 2, 2),
    ],
)
def test_under_a_generic_plan_an_array_parameter_prunes_nothing_and_equality_and_lists_do(
    conn: psycopg.Connection, condition: str, types: str, values: str, custom: int, generic: int
) -> None:
    """Stated on the page of partitioning."""
    assert scanned(conn, condition, types, values, "force_custom_plan") == custom
    assert scanned(conn, condition, types, values, "force_generic_plan") == generic


def test_a_prepared_search_need_not_get_a_generic_plan_after_five_executions(conn: psycopg.Connection) -> None:
    """Stated on the page of row-level security."""
    conn.execute("SET plan_cache_mode = auto")
    conn.execute(f"PREPARE often (text[]) AS {NEAREST.format('tenant = ANY ($1)')}")
    for _ in range(12):
        conn.execute("EXECUTE often ('{t3}')")
    found = conn.execute(
        "SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE name = 'often'"
    ).fetchone()
    conn.execute("DEALLOCATE often")
    assert found == (12, 0)


def test_an_hnsw_index_can_hold_binary_codes(conn: psycopg.Connection) -> None:
    """Stated on the page of inverted lists and product quantisation."""
    conn.execute("CREATE TEMP TABLE coded AS SELECT id, embedding FROM parted")
    conn.execute("CREATE INDEX ON coded USING hnsw ((binary_quantize(embedding)::bit(4)) bit_hamming_ops)")
    conn.execute("SET enable_seqscan = off")
    plan = conn.execute(
        "EXPLAIN (COSTS OFF) SELECT id FROM coded "
        "ORDER BY binary_quantize(embedding)::bit(4) <~> binary_quantize('[1,-1,1,1]'::vector(4)) LIMIT 20"
    ).fetchall()
    assert any("Index Scan using coded" in str(row[0]) for row in plan), plan
