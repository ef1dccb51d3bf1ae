"""Tables, roles and the row-level policy of the store, as SQL.

Each corpus has a PostgreSQL schema of its own, so that the real corpus and the small one of the tests live side
by side.

**The policy.** `chunk` and `document` show a row when its tenant is among those that the access-control list
gives to the principal of this transaction. The list is read by a SECURITY DEFINER function, so the
application role cannot read the list itself; the call is in a scalar sub-query, so it runs once a
statement and not once a row. The principal is the setting `zeroth.principal`. It is null before it was ever
set and an empty string after a transaction that set it locally; both mean: no principal, no rows. A setting
is an identity only behind an application that owns the connection: whoever can run SQL on it can change it.

**Why this form.** The planner cannot look into the sub-query: it estimates the same share of visible rows for
every principal and so makes the same plan for everyone. A policy it can estimate (`= ANY (string_to_array(
current_setting(…)))`) gives selective principals another plan. `harness.store.choices` measures that, form by
form; the dataset `ann_postfilter` publishes it.

**No B-tree on `tenant`.** With one, and with a policy that can be estimated, the planner may read the visible
rows through the B-tree and sort them exactly instead of asking the HNSW index; from which `ef_search` on it
does depends on the costs, and the dataset says it for this corpus. That is a good plan, and it hides the
effect that is to be measured. So the store's layout has none; `choices` adds it inside a transaction that is
rolled back, to show the difference.

**Storage.** Ids sort by code point (collation C), so that ties fall the same way on every server. Vectors are
stored PLAIN, in the row: the planner does not count what lies out of line, so a sequential scan over toasted
vectors looks cheaper than it is. Autovacuum is off because the tables never change after loading and a
changed estimate would change plans between two readings.
"""

from __future__ import annotations

from harness.store.server import APPLICATION_ROLE, OWNER_ROLE

DIMENSIONS = 384
#: HNSW build settings of pgvector: links a node, and candidates kept while building.
HNSW_M = 16
HNSW_EF_CONSTRUCTION = 64
HNSW_INDEX = "chunk_embedding_hnsw"
TABLES = ("document", "chunk")

ROLES = f"""
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{OWNER_ROLE}') THEN
    CREATE ROLE {OWNER_ROLE} NOLOGIN NOSUPERUSER NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{APPLICATION_ROLE}') THEN
    CREATE ROLE {APPLICATION_ROLE} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOINHERIT;
  END IF;
END $$;
GRANT {OWNER_ROLE}, {APPLICATION_ROLE} TO CURRENT_USER;
"""

CREATE_TABLES = """
CREATE SCHEMA {schema};
CREATE TABLE {schema}.meta (key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE {schema}.acl (principal text, tenant text, PRIMARY KEY (principal, tenant));
CREATE TABLE {schema}.document (
  id text COLLATE "C" PRIMARY KEY, tenant text NOT NULL, title text NOT NULL, url text NOT NULL, licence text NOT NULL
) WITH (autovacuum_enabled = false);
CREATE TABLE {schema}.chunk (
  id text COLLATE "C" PRIMARY KEY,
  doc text COLLATE "C" NOT NULL REFERENCES {schema}.document,
  tenant text NOT NULL,
  ordinal integer NOT NULL,
  text text NOT NULL,
  embedding vector({dimensions}) NOT NULL,
  tsv tsvector GENERATED ALWAYS AS (to_tsvector('english', text)) STORED
) WITH (autovacuum_enabled = false);
ALTER TABLE {schema}.chunk ALTER COLUMN embedding SET STORAGE PLAIN;
"""

CREATE_HNSW = """
CREATE INDEX {index} ON {schema}.chunk USING hnsw (embedding vector_cosine_ops)
WITH (m = {m}, ef_construction = {ef_construction})
"""

CREATE_GIN = "CREATE INDEX chunk_tsv_gin ON {schema}.chunk USING gin (tsv)"

CREATE_FUNCTION = """
CREATE FUNCTION {schema}.visible_tenants() RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog
AS $$
  SELECT coalesce(array_agg(tenant), '{{}}') FROM {schema}.acl
  WHERE principal = nullif(current_setting('zeroth.principal', true), '')
$$;
REVOKE ALL ON FUNCTION {schema}.visible_tenants() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION {schema}.visible_tenants() TO {app};
"""

#: The condition of the policy on both tables.
POLICY_CONDITION = "tenant = ANY ((SELECT {schema}.visible_tenants())::text[])"

PROTECT = """
ALTER TABLE {schema}.{table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE {schema}.{table} FORCE ROW LEVEL SECURITY;
CREATE POLICY visible ON {schema}.{table} FOR SELECT TO {app} USING ({condition});
GRANT SELECT ON {schema}.{table} TO {app};
"""

HAND_OVER = """
GRANT USAGE ON SCHEMA {schema} TO {app};
ALTER SCHEMA {schema} OWNER TO {owner};
ALTER FUNCTION {schema}.visible_tenants() OWNER TO {owner};
"""


def schema_name(corpus_name: str) -> str:
    """Return the PostgreSQL schema of a corpus: `zeroth_` and its name in letters, digits and `_`.

    The result needs no quoting, which is why it can be put into the statements of this module as text.
    """
    safe = "".join(c if c.isascii() and c.isalnum() else "_" for c in corpus_name.lower())
    return f"zeroth_{safe}"[:50]


def create_tables(schema: str) -> str:
    """Return the statements that make the schema and its empty tables, without row security."""
    return CREATE_TABLES.format(schema=schema, dimensions=DIMENSIONS)


def create_hnsw(schema: str) -> str:
    """Return the statement that builds the HNSW index over the vectors (cosine distance)."""
    return CREATE_HNSW.format(schema=schema, index=HNSW_INDEX, m=HNSW_M, ef_construction=HNSW_EF_CONSTRUCTION)


def policy_condition(schema: str) -> str:
    """Return the condition of the row policy: see the module docstring for why it has this form."""
    return POLICY_CONDITION.format(schema=schema)


def protect(schema: str) -> str:
    """Return the statements that close the tables, make the policies and set the owner."""
    names = {
        "schema": schema,
        "app": APPLICATION_ROLE,
        "owner": OWNER_ROLE,
        "condition": policy_condition(schema),
    }
    parts = [CREATE_FUNCTION.format(**names)]
    parts += [PROTECT.format(table=table, **names) for table in TABLES]
    parts.append(HAND_OVER.format(**names))
    parts += [f"ALTER TABLE {schema}.{t} OWNER TO {OWNER_ROLE};" for t in (*TABLES, "acl", "meta")]
    return "\n".join(parts)
