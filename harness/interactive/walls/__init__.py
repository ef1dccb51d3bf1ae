"""The parts of the capture `barriers`: worlds, observables, guesses, searches that are timed, figures."""
