# Every target sets itself up first; `make demo` and `make test` are all a newcomer needs.
.DEFAULT_GOAL := help
.PHONY: help install demo app test test-all browser integrations lint check format results reference docs

PY := .venv/bin/python
PROFILE ?= thorough
export OMP_WAIT_POLICY ?= passive
unexport PYTHONDONTWRITEBYTECODE

help:  ## show the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install:  ## make .venv and install everything (a no-op when nothing changed)
	@scripts/install.sh

demo: install  ## index the demo story, run the three pipelines on one prompt, compare them
	@.venv/bin/fabula demo

app: install  ## start the Streamlit app
	@$(PY) -m fabula app

# two workers share the cores: threads of their own would only wait for each other
test test-all: export OMP_NUM_THREADS ?= 1

test: install  ## the tests, but for the slow ones and those in a browser
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow and not browser"

test-all: install  ## all tests but those in a browser; with PROFILE=quick without the longest
	$(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder --hypothesis-profile $(PROFILE) \
		-m "not browser$(if $(filter quick,$(PROFILE)), and not thorough)"

browser: install  ## the app in a real browser, every page of it
	@scripts/install_browser.sh
	FABULA_BROWSER_REQUIRED=1 $(PY) -m pytest -n 2 --dist loadfile -m browser tests/browser

lint: install .typing/fabula  ## formatter, linter, type checker
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy

integrations: install  ## the clients of other makers (MCP, editors, LangChain, ragas, …), driven for real
	@scripts/install_integrations.sh
	FABULA_INTEGRATIONS_REQUIRED=1 .venv-integrations/bin/python -m pytest -o filterwarnings= -o asyncio_mode=auto \
		-o asyncio_default_fixture_loop_scope=function tests/integrations

check: lint test-all  ## everything that has to pass

format: install  ## format, and fix what can be fixed
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

results: install  ## put the committed results, and the list of experiments, into their tables
	$(PY) experiments/readme_tables.py
	$(PY) experiments/run.py --readme

reference: install  ## write the reference pages (commands, settings, HTTP, rules …) from the program
	$(PY) scripts/reference.py

docs: install  ## build the documentation into site/ (open site/index.html)
	@$(PY) -c "import material" 2>/dev/null || $(PY) -m pip install --quiet --disable-pip-version-check -r requirements-docs.txt
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict

.typing/fabula:
	@mkdir -p .typing && ln -s ../src .typing/fabula
