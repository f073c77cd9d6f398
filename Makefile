# Every target sets up what it needs, may be repeated, and is quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST_ARGS ?=
JOBS ?= auto

.DEFAULT_GOAL := help
.PHONY: help setup demo gen gen-check test lint bench docs clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "ADE needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV) …"
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
		$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

setup: $(READY) ## Make .venv with everything needed

demo: $(READY) gen ## Do the main job on a sample repository, end to end (KEEP=1 leaves it for playing)
	@KEEP=$(KEEP) $(BIN)/python examples/demo.py

gen: $(READY) ## Regenerate ade_generated/ and docs/reference/ from specs/
	@$(BIN)/python -m codegen gen

gen-check: $(READY) ## Fail, and show the difference, where generated files are not what the specs say
	@$(BIN)/python -m codegen check

test: $(READY) ## Run the tests
	@$(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

lint: $(READY) ## Check style and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY) ## Measure the figures against their peers (slow; nothing else should run meanwhile)
	@$(BIN)/python -m benchmarks $(FIGURES)

docs: gen ## Generate the reference and check every link of the documentation
	@$(BIN)/python -m pytest -p no:xdist tests/unit/test_docs.py

clean: ## Remove the virtual environment and caches; nothing that git tracks
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
