"""The parts of the capture `deletion`: cached answers, what a reader still gets, the index, refusals, figures."""
