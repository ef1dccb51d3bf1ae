"""One package a dataset, of its name: ``capture.py`` holds its ``CAPTURE``, other modules what it measures with."""
