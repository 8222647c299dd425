# Each target installs what it needs. Python 3.11 or newer, git, and make are enough.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/ready
TESTS ?= tests
SECONDS ?= 300

.DEFAULT_GOAL := help
.PHONY: help demo test sites fuzz compat lint reference docs dist lock bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Current versions of pip resolve dependencies twice as fast as the version in Python 3.11. Most
# installed modules are never imported, so pip does not compile them.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "docs-sitemap needs Python 3.11 or newer. Fix: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv --clear --upgrade-deps $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --group dev --editable '.[mkdocs,properdocs,sphinx]'
	@touch $@

demo: docs ## Build the documentation with MkDocs and with Sphinx, and show both sitemaps
	@for generator in mkdocs sphinx; do \
		echo; echo "== site/$$generator/sitemap.xml"; \
		head -n 11 site/$$generator/sitemap.xml; echo "  ..."; \
	done

# Each worker runs files as a whole, more or less, so it makes what their tests share only once.
test: $(READY) ## Run the tests, or those in TESTS=path
	$(BIN)/python -m pytest -n auto --dist=worksteal $(TESTS)

fuzz: $(READY) ## Run the tests of random inputs with new inputs for SECONDS=300
	end=$$(( $$(date +%s) + $(SECONDS) )); while [ $$(date +%s) -lt $$end ]; do \
		$(BIN)/python -m pytest -q -n auto --dist=worksteal -m hypothesis \
			--hypothesis-profile=fuzz $(TESTS) || exit 1; \
	done

sites: $(READY) ## Build the sites in tests/sites with the real generators, or those in SITES="hugo antora"
	$(BIN)/python tests/sites/build.py $(SITES)

compat: $(READY) ## Run the integration tests and those of the command line with all sets of versions, or those in ENVS=oldest,newest
	$(BIN)/pip install --quiet --group compat
	$(BIN)/tox run-parallel --parallel-no-spinner $(if $(ENVS),-e $(ENVS))

lint: $(READY) ## Run ruff and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

reference: $(READY) ## Refresh docs/reference and SECURITY.md from the code and pyproject.toml
	$(BIN)/python docs/generate_reference.py

docs: reference ## Build the documentation with MkDocs and with Sphinx, and check both sites
	rm -rf site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict
	$(BIN)/sphinx-build --quiet -W --keep-going -b dirhtml -d site/doctrees docs site/sphinx
	$(BIN)/docs-sitemap check --strict site/mkdocs site/sphinx
	$(BIN)/docs-sitemap report --output site/docs-report.html site/mkdocs
	@! grep -h '<loc>' site/mkdocs/sitemap.xml site/sphinx/sitemap.xml | sort | uniq -u | grep . \
		|| { echo "Only one of the two sitemaps lists these URLs."; exit 1; }

dist: $(READY) ## Build the wheel and the sdist, and check what the package index will show
	$(BIN)/pip install --quiet --group release
	rm -rf dist
	$(BIN)/python -m build --outdir dist
	$(BIN)/python -m twine check --strict dist/*

lock: $(READY) ## Pin what the GitHub Action installs, before a release
	$(BIN)/pip install --quiet --group release
	$(BIN)/uv pip compile --quiet --universal --upgrade --no-header --no-annotate \
		--python-version 3.11 --extra online --group build pyproject.toml \
		--output-file .github/constraints.txt

bench: $(READY) ## Measure speed and accuracy; WITH=--help lists the benchmarks
	$(BIN)/pip install --quiet --group bench
	$(BIN)/python -m benchmarks $(WITH)

clean: ## Remove everything that the other targets create
	rm -rf $(VENV) .tox site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
