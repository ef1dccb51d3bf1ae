"""Pages of a passage: what is printed on them, and what an estimate makes of them."""
