"""Chunks under entitlement labels: who asks, and readings checked against the rules themselves."""
