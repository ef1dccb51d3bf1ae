"""What several experiments measure with: questions and who asks them, readings, summaries.

Searches through SQL are measured in one way: `trials` has readers, questions and cells, `ways` how a search is run,
`loop` takes the readings, `readings` holds them, `intervals` sums them up.
"""
