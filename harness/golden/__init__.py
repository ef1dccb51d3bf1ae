"""Golden questions and the auditable lexical scorer."""
