"""Parts of the captures over vector indexes without a filter: a table with one index to exchange, and its readings."""
