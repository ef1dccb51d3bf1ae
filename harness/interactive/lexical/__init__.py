"""What the captures of lexical search and fusion share: ranked lists, labels, quality with intervals."""
