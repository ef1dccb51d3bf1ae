"""Which documents make the full corpus: three families, their tenants, and the folding of small tenants."""
