"""Pure rendering: content, data and templates in; HTML out."""
