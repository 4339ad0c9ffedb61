# Everything runs in .venv; a folder whose name has a space is fine, since all paths are relative.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint format bench eval fuzz soak properties conformance clean help

help:
	@echo "make demo    set up, build the example brain, preview and assemble a bundle from it"
	@echo "make test    set up and run all tests"
	@echo "make lint    style, types and layers"
	@echo "make format  lay the code out"
	@echo "make bench   measure speed and memory, as ratios taken in one run"
	@echo "make eval    how well redaction does on rows that it was not tuned on"
	@echo "make fuzz    feed random and mutated input to every parser, 60 s each (FUZZ_SECONDS=10 for less)"
	@echo "make soak    fail each write with every error, then 1,000 mixed operations with kills, against a quiet run"
	@echo "make properties  look at 2,000 random brains, grants and requests for each property, a denied file's first of all"
	@echo "make conformance  put the brain of every shared case in every layout, and try every hash seed"
	@echo "make clean   remove everything that was made"

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("kradle-ctx needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable . --group dev
	@touch $(READY)

demo: $(READY)
	@$(BIN)/python fixtures/build_brain.py .demo/brain
	@echo
	@echo '$$ kradle-ctx preview --brain .demo/brain -f fixtures/brain-repo/.kradle/a5c -f fixtures/requests/ci-repair.yaml --summary'
	@$(BIN)/kradle-ctx preview --brain .demo/brain -f fixtures/brain-repo/.kradle/a5c -f fixtures/requests/ci-repair.yaml --summary
	@echo
	@echo '$$ kradle-ctx assemble --brain .demo/brain -f fixtures/brain-repo/.kradle/a5c -f fixtures/requests/ci-repair.yaml -o .demo/bundle.yaml'
	@$(BIN)/kradle-ctx assemble --quiet --brain .demo/brain -f fixtures/brain-repo/.kradle/a5c -f fixtures/requests/ci-repair.yaml -o .demo/bundle.yaml
	@echo 'The bundle is in .demo/bundle.yaml, the brain in .demo/brain: try other questions on it.'

test: $(READY)
	$(BIN)/python -m pytest -n 2 -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(READY)
	@$(BIN)/python bench/run.py; run=$$?; $(BIN)/python bench/redaction.py && exit $$run

eval: $(READY)
	$(BIN)/python bench/redaction_quality.py

fuzz: $(READY)
	$(BIN)/python -m tests.fuzz --seconds $(or $(FUZZ_SECONDS),60)

soak: $(READY)
	EVERY_ERROR=1 $(BIN)/python -m pytest -q tests/faults tests/adapters/test_index_store_damage.py
	$(BIN)/python -m tests.soak

properties: $(READY)
	KRADLE_EXAMPLES=2000 $(BIN)/python -m pytest -n 2 -q tests/properties/test_non_interference.py
	KRADLE_EXAMPLES=2000 $(BIN)/python -m pytest -n 2 -q tests/properties tests/unit/render tests/unit/repairs --ignore tests/properties/test_non_interference.py

conformance: $(READY)
	EVERY_LAYOUT=1 $(BIN)/python -m pytest -n 2 -q tests/cases

clean:
	rm -rf $(VENV) .demo .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis build dist *.egg-info
