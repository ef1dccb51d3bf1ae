"""The parts of the capture `freshness`: searches with and without the contract, answers, cases, figures."""
