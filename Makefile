# Every target sets up what it needs, may be repeated, and is quick the second time.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PYTEST_ARGS ?=
JOBS ?= auto
FUZZ_SECONDS ?= 60

.DEFAULT_GOAL := help
.PHONY: help setup demo gen watch gen-check site test test-harness test-conformance test-live stress fuzz lint bench docs clean

help: ## Show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "ADE needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV), which takes a minute or two …"
	@PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt PIP_DISABLE_PIP_VERSION_CHECK=1 \
		$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

setup: $(READY) ## Make .venv with everything needed

demo: $(READY) gen ## Do the main job on a sample repository, end to end (KEEP=1 leaves it for playing)
	@KEEP=$(KEEP) $(BIN)/python examples/demo.py

gen: $(READY) ## Regenerate ade_generated/ and docs/reference/ from specs/
	@$(BIN)/python -m codegen gen

watch: $(READY) ## Generate again whenever a spec is saved
	@$(BIN)/python -m codegen watch

gen-check: $(READY) ## Fail, and show the difference, where generated files are not what the specs say
	@$(BIN)/python -m codegen check

test: $(READY) ## Run the tests
	@$(BIN)/python -m pytest -n $(JOBS) --dist worksteal $(PYTEST_ARGS)

test-harness: $(READY) ## Drive the real agent programs with a scripted model (installs them once, about 1 GB)
	@PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev,claude]'
	@$(BIN)/python -m pytest -m harness $(PYTEST_ARGS)

test-conformance: $(READY) ## Hold all that is said to GitHub and Linear, and the stand-ins, to the descriptions these publish (npm)
	@$(BIN)/python -m pytest -m conformance -rs $(PYTEST_ARGS)

test-live: $(READY) ## Read from the real GitHub and Linear, where GH_TOKEN or LINEAR_API_KEY is set; changes nothing
	@$(BIN)/python -m pytest -m live -rs $(PYTEST_ARGS)

stress: $(READY) ## Run the long tests: soak, many starts at once, kills at every step (slow; alone on the machine)
	@$(BIN)/python -m pytest -m stress $(PYTEST_ARGS)

fuzz: $(READY) ## Feed the server's reader of frames with what a coverage-guided fuzzer makes up, FUZZ_SECONDS long
	@PIP_CONSTRAINT=constraints.txt $(BIN)/python -m pip install --quiet --editable '.[dev,fuzz]'
	@$(BIN)/python tests/fuzz/frames.py -max_total_time=$(FUZZ_SECONDS)

lint: $(READY) ## Check style and types, of the specs too
	@$(BIN)/python -m codegen lint --level error
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(READY) ## Measure the figures against their peers (slow; nothing else should run meanwhile)
	@$(BIN)/python -m benchmarks $(FIGURES)

site: gen ## Write the documentation as a site into build/site (PACKS="FOLDER …" shows packs, too)
	@$(BIN)/python -m codegen site $(foreach pack,$(PACKS),--pack $(pack))

docs: gen ## Generate the reference and check every link of the documentation
	@$(BIN)/python -m pytest -p no:xdist tests/unit/test_docs.py

clean: ## Remove the virtual environment and caches; nothing that git tracks
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis dist build
