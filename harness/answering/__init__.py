"""From a context of passages to an answer that quotes them, or to a refusal."""
