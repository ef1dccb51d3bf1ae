"""Retrieval: lexical, dense, fused, reranked, and who may see what."""
