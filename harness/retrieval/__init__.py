"""Retrieval: lexical, dense and fused."""
