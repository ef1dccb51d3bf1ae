"""How much of one document stands in another: word shingles, containment and Jaccard, over a whole corpus at once."""
