"""What a reader takes away: Markdown twins, llms.txt, the feed."""
