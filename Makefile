# `make play` starts the server, `make test` runs the tests; `make help` lists all targets.

PORT ?= 8000
HOST ?= 127.0.0.1
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)

VENV := .venv
BIN := $(VENV)/bin
TSC := .venv-tools/node_modules/.bin/tsc
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
FOR_PLAY := $(VENV)/.installed-for-play
FOR_WORK := $(VENV)/.installed-for-work

# Hashes cannot cover the source folder, so Wibble itself is installed after its pinned dependencies and build tools.
INSTALL = $(PIP) install --require-hashes --requirement $(1) && \
	$(PIP) install --no-deps --no-build-isolation --editable .

# `make requirements UPGRADE=` keeps pinned versions and adds only missing packages.
UPGRADE := --upgrade
PIN = printf 'editables\nhatchling\n' | .venv-tools/bin/uv --quiet pip compile --universal --fork-strategy fewest --python-version 3.11 \
	--generate-hashes --no-annotate --custom-compile-command 'make requirements' $(UPGRADE)

.DEFAULT_GOAL := help
.PHONY: help play test quick bounds check typescript format bench examples screenshots wheel requirements audit digests clean

help:  ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1 - /p' $(MAKEFILE_LIST)

play: $(FOR_PLAY)  ## start the server on http://127.0.0.1:8000 (set HOST=... PORT=... to change)
	@exec $(BIN)/wibble serve --host $(HOST) --port $(PORT)

# Each process runs whole modules in the order of tests/markers.py: the browser tests come first, so that no engine
# test slows them down.
test: $(FOR_WORK)  ## run all tests on all cores (a subset: TESTS=tests/words)
	@$(BIN)/pytest -n logical --maxprocesses 8 --dist loadfile --no-loadscope-reorder $(TESTS)

quick: $(FOR_WORK)  ## run the fast tests: no browser, campaign or kill tests, a quarter of the made-up examples
	@WIBBLE_TEST_QUICK=1 $(BIN)/pytest -n logical --maxprocesses 8 --dist worksteal -m "not (browser or campaign or kill)" $(TESTS)

bounds: $(FOR_WORK)  ## run the engine tests with array bounds checks
	@NUMBA_BOUNDSCHECK=1 NUMBA_CPU_NAME=generic NUMBA_CPU_FEATURES= NUMBA_CACHE_DIR=.bounds-cache \
		$(BIN)/pytest $(or $(TESTS),tests/games tests/words)

check: $(FOR_WORK)  ## check format, lint, types and import layers
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if [ -x $(TSC) ]; then for project in jsconfig.json jsconfig.worker.json; do echo $(TSC) --project $$project; $(TSC) --project $$project || exit; done; \
		else echo "Skipped: the types of static/**/*.js (make typescript installs the compiler; it needs npm)"; fi

typescript:  ## install the compiler that checks the scripts' types (needs npm)
	@mkdir -p .venv-tools && npm install --silent --no-save --prefix .venv-tools typescript@5.9.3

format: $(FOR_WORK)  ## format the code and apply lint fixes
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

bench: $(FOR_WORK)  ## run all benchmarks
	@for benchmark in benchmarks/*.py; do \
		echo "== $$benchmark"; $(BIN)/python "$$benchmark" || exit; done

examples: $(FOR_WORK)  ## send the examples of data/api to the application and store the answers
	@$(BIN)/python -m tests.web.recorded

screenshots: $(FOR_WORK)  ## take the README's pictures
	@$(BIN)/python -m tests.browser.screenshots

wheel: $(FOR_WORK)  ## build the package into dist/
	@$(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

requirements:  ## upgrade and pin all dependencies, with hashes for all platforms
	@$(MAKE) --no-print-directory VENV=.venv-tools .venv-tools/bin/python
	@.venv-tools/bin/python -m pip --quiet install uv
	@$(PIN) --output-file requirements-dev.txt --all-extras pyproject.toml - >/dev/null
	@$(PIN) --output-file requirements.txt --constraint requirements-dev.txt \
		--extra postgresql --extra redis pyproject.toml - >/dev/null

audit:  ## check the pinned versions for known vulnerabilities (Error 75: could not check)
	@$(MAKE) --no-print-directory VENV=.venv-tools .venv-tools/bin/python
	@.ci/audit .venv-tools/bin/python

digests:  ## update the image digests in compose.yaml and Dockerfile (needs Docker)
	@trap 'rm -f compose.yaml.bak Dockerfile.bak' EXIT; for image in $$(grep -ohE '[a-z]+:[a-z0-9.-]+@sha256:[0-9a-f]+' compose.yaml Dockerfile | sort -u); do \
		digest=$$(docker buildx imagetools inspect --format '{{.Manifest.Digest}}' "$${image%@*}") || exit; \
		sed -i.bak "s|$$image|$${image%@*}@$$digest|" compose.yaml Dockerfile; done

clean:  ## remove the virtual environment and all build output
	rm -rf $(VENV) .venv-tools dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .bounds-cache

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Wibble needs Python 3.11 or newer, and none was found on the PATH" \
			"(python3 is $$(python3 --version 2>&1)). Set one: make PYTHON=/path/to/python3.12 ..." >&2; \
		exit 1; fi
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Wibble needs Python 3.11 or newer; $(PYTHON) is $$("$(PYTHON)" --version 2>&1)." >&2; exit 1; }
	@echo "Creating $(VENV) with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Python could not create a virtual environment (on Debian and Ubuntu: apt install python3-venv)." >&2; \
		exit 1; }

$(FOR_PLAY): pyproject.toml requirements.txt | $(BIN)/python
	@echo "Installing Wibble into $(VENV) (a minute, the first time)"
	@$(call INSTALL,requirements.txt)
	@touch $@

$(FOR_WORK): pyproject.toml requirements-dev.txt | $(BIN)/python
	@echo "Installing Wibble and its tools into $(VENV) (a minute, the first time)"
	@$(call INSTALL,requirements-dev.txt)
	@touch $(FOR_PLAY) $@
