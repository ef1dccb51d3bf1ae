"""Dataset ``rls_bypasses``: ways round a row policy, by form, leak and reader."""
