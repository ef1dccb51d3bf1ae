"""Text to vectors: the packaged embedder, its tokenizer, and the content-addressed cache."""
