# `make demo` and `make test` do all their set-up themselves: Python 3.11+, git and make suffice.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: help demo test lint docs compat bench bench-dates bench-heads bench-check clean

help:
	@echo "make demo    build this project's documentation with MkDocs and with Sphinx, show both sitemaps"
	@echo "make test    run the tests"
	@echo "make lint    ruff, mypy"
	@echo "make docs    both builds of the documentation, with warnings as errors, and a check of both"
	@echo "make compat  the tests with the oldest and newest supported MkDocs and Sphinx"
	@echo "make bench   measure the speed"
	@echo "make bench-dates  measure what dates from git cost, beside what others do; WITH='--quick' is short"
	@echo "make bench-heads  measure what reading the heads of built pages costs"
	@echo "make bench-check  measure what docs-sitemap check costs"
	@echo "make clean   remove all that the above made"

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "docs-sitemap needs Python 3.11 or newer; say which: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(READY)
	@$(BIN)/mkdocs build --quiet
	@$(BIN)/sphinx-build --quiet -b dirhtml -d site/doctrees docs site/sphinx
	@for tool in mkdocs sphinx; do \
		echo; echo "== site/$$tool/sitemap.xml"; head -n 11 site/$$tool/sitemap.xml; echo "  ..."; \
	done

test: $(READY)
	$(BIN)/python -m pytest -n auto

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(READY)
	$(BIN)/mkdocs build --quiet --strict
	$(BIN)/sphinx-build --quiet -W --keep-going -b dirhtml -d site/doctrees docs site/sphinx
	$(BIN)/docs-sitemap check --strict site/mkdocs site/sphinx

compat: $(READY)
	$(BIN)/tox run

bench: $(READY)
	$(BIN)/python benchmarks/bench.py

bench-dates: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	$(BIN)/python benchmarks/dates.py $(WITH)

bench-heads: $(READY)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,bench]'
	$(BIN)/python benchmarks/heads.py

bench-check: $(READY)
	$(BIN)/python benchmarks/check.py

clean:
	rm -rf $(VENV) .tox site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
