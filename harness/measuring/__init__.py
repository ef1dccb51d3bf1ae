"""What several experiments measure with: questions and who asks them, readings, summaries, figures."""
