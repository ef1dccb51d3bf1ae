# Two commands carry a fresh machine: `make site` and `make test`. Everything else is a convenience.
PYTHON ?= python3
SITE   := .venv-site
FULL   := .venv
PYTEST := $(FULL)/bin/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder --durations 40
PIP    := -m pip --disable-pip-version-check install --quiet --constraint constraints.txt

.PHONY: site serve test test-all lint mutants bench clean help .venv

help:            ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

site: $(SITE)/.done    ## build site/ with a handful of small packages: no torch, no database
	$(SITE)/bin/python build.py
	@echo "open site/index.html in a browser, or run: make serve"

serve: $(SITE)/.done   ## build, serve and rebuild on every change
	$(SITE)/bin/python build.py --serve --watch

test: $(FULL)/.done    ## what a change must pass, in minutes: units, PostgreSQL, the embedder, headless Chromium
	sh tools/ensure_chromium.sh
	$(PYTEST) -m "not sweep"

test-all: $(FULL)/.done ## every test, with the sweeps that docs/tests.md lists (most of an hour)
	sh tools/ensure_chromium.sh
	$(PYTEST)

lint: $(FULL)/.done    ## ruff and mypy --strict
	$(FULL)/bin/ruff check .
	$(FULL)/bin/ruff format --check .
	$(FULL)/bin/mypy

mutants: $(FULL)/.done ## every condition of the guards changed in turn: a test has to notice (an hour)
	$(FULL)/bin/python tools/mutate.py

bench: $(FULL)/.done   ## benchmarks against peers; prints ratios
	for script in bench/*.py; do $(FULL)/bin/python $$script; done

.venv: $(FULL)/.done   ## only the full environment: pipeline, database, test tools

clean:           ## remove the environments (the cache of documents and vectors stays)
	rm -rf $(SITE) $(FULL)

$(SITE)/.done: pyproject.toml constraints.txt tools/requirements.py
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python $(PIP) $$($(PYTHON) tools/requirements.py site)
	@touch $@

$(FULL)/.done: pyproject.toml constraints.txt tools/requirements.py
	$(PYTHON) -m venv $(FULL)
	$(FULL)/bin/python $(PIP) torch
	$(FULL)/bin/python $(PIP) $$($(PYTHON) tools/requirements.py site harness dev)
	@touch $@
