# Every target sets itself up first; `make demo` and `make test` are all a newcomer needs.
.DEFAULT_GOAL := help
.PHONY: help install demo app test test-all check format

PY := .venv/bin/python
FABULA := .venv/bin/fabula
export OMP_WAIT_POLICY ?= passive

help:  ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install:  ## make .venv and install everything (a no-op when nothing changed)
	@scripts/install.sh

demo: install  ## index the demo story, run the three pipelines, compare them
	@$(FABULA) demo

app: install  ## start the Streamlit app
	@$(PY) -m streamlit run app_streamlit.py --browser.gatherUsageStats=false

test: install  ## the tests that need no browser
	@$(PY) -m pytest -m "not browser and not slow"

test-all: install  ## all tests, the slow ones too
	@$(PY) -m pytest -m "not browser"

check: install .typing/fabula  ## formatter, linter, types, tests
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .
	@$(PY) -m mypy
	@$(PY) -m pytest -m "not browser"

format: install  ## format and fix what can be fixed
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

.typing/fabula:
	@mkdir -p .typing && ln -s ../src .typing/fabula
