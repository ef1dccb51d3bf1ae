"""Vector indexes without a filter: a table with one index to exchange, its readings, their summary."""
