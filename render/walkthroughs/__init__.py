"""One module a dataset: the walkthrough that draws it."""
