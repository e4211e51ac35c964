# make run   serve the app on http://localhost:8501  (PORT=9000 for another port, ADDRESS=0.0.0.0 for other machines)
# make test  style checks and the tests that would catch a wrong number, in minutes
# make thorough  the other tests of every change: reviewed documents, the browser, more searches, pages and tables
# make campaign  the long tests: all stories in the browser, many seeds, Spark and Dask, fuzz
# make golden  write the reviewed documents of the samples anew; read the diff
# make docs  build the manual into build/site, from docs/
# make pictures  draw the pictures of the manual anew, from the app as it is
# make lock  write the locks anew for the lower bounds; versions that still fit stay  (UPGRADE=1 takes the newest)
# make man   write the manual page of the command line anew, docs/fairaudit.1
# make wheel build the wheel and the source archive into dist/
# make wheelhouse  the wheel and all that it needs, to install where there is no network, into dist/wheelhouse/
# make image build the image of Containerfile, with podman or docker
# make sizes  measure what is downloaded, installed and started, in environments of their own
# make bom   write the bill of materials of what is locked, CycloneDX, to dist/bom.json
# make clean forget the virtual environment and all caches

PYTHON ?= python3
PORT ?=
ADDRESS ?=

VENV := .venv
BIN := $(VENV)/bin
QUIET_PIP := -m pip --disable-pip-version-check --quiet --quiet
PIP := $(BIN)/python $(QUIET_PIP)
# The locks name all there is to install, less what pyproject.toml leaves out.
LOCKED := install --no-deps --require-hashes
RUN_READY := $(VENV)/.ready-to-run
TEST_READY := $(VENV)/.ready-to-test
BUILD := build/environment
BUILD_READY = $(BUILD)/.ready
DIST := dist
WHEELHOUSE = $(DIST)/wheelhouse

.PHONY: run test thorough campaign golden docs pictures browser postgres nginx spark lock man wheel wheelhouse image sizes bom clean
.DEFAULT_GOAL := run

run: $(RUN_READY)
	@$(BIN)/python -m fairaudit serve --headless $(addprefix --port ,$(PORT)) $(addprefix --address ,$(ADDRESS))

# Workers take whole files (tests/support/handing_out.py).
test: $(TEST_READY) browser postgres nginx
	@$(BIN)/ruff check --quiet . && $(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not thorough and not campaign"

thorough: $(TEST_READY) browser postgres nginx
	@$(BIN)/python -m pytest -n 2 --dist loadgroup -m "thorough and not campaign"

# Three workers keep two cores busy: stories in the browser mostly wait.
campaign: $(TEST_READY) browser postgres spark
	@$(BIN)/python -m pytest -n 3 --dist loadgroup -m campaign

golden: $(TEST_READY)
	@OMP_NUM_THREADS=1 $(BIN)/python tests/golden/documents.py

# Warnings are errors: a link that leads nowhere, a name that is not there.
docs: $(TEST_READY)
	@$(BIN)/python -m sphinx --quiet --fail-on-warning --builder html docs build/site
	@echo "The manual is in build/site/index.html"

pictures: $(TEST_READY) browser
	@$(BIN)/python docs/pictures.py

# The stamps are written last: an installation that was interrupted is taken up again. Tests of others are not compiled.
define CHECK_PYTHON
@command -v $(PYTHON) >/dev/null || { echo "fairaudit needs Python 3.11 or newer; '$(PYTHON)' was not found. Name a newer one: make $(or $(MAKECMDGOALS),run) PYTHON=python3.12" >&2; exit 1; }
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "fairaudit needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Name a newer one: make $(or $(MAKECMDGOALS),run) PYTHON=python3.12" >&2; exit 1; }
endef

$(BIN)/python:
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv $(VENV)

$(RUN_READY): requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what fairaudit needs into $(VENV). This takes a minute or two, once."
	@$(PIP) $(LOCKED) --no-compile --requirement requirements.lock
	@$(PIP) install --no-deps --editable .
	@$(BIN)/python -m compileall -q -j 0 -x '/tests/' $(VENV)/lib
	@touch $@

# Altair imports rfc3987-syntax where it is there, which takes each process that draws a chart 1.4 seconds; nothing needs it.
$(TEST_READY): requirements-dev.lock $(RUN_READY)
	@echo "Installing what the tests need into $(VENV)."
	@$(PIP) $(LOCKED) --requirement requirements-dev.lock
	@$(PIP) uninstall --yes rfc3987-syntax
	@touch $@

# Chromium draws the pages in the browser tests, pdftotext and pdfinfo read the reports.
browser:
	@if command -v chromium >/dev/null && command -v pdftotext >/dev/null; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "Installing Chromium and poppler-utils for the browser tests."; \
		apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \
			chromium poppler-utils >/dev/null || echo "They could not be installed: tests that need them will be skipped."; \
	else \
		echo "Chromium or poppler-utils is missing: tests that need them will be skipped. (apt-get install chromium poppler-utils)"; \
	fi

# A PostgreSQL server of the tests' own.
postgres:
	@if ! ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing PostgreSQL for the tests on databases."; \
			apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \
				postgresql >/dev/null || echo "It could not be installed: tests that need it will be skipped."; \
		else \
			echo "PostgreSQL is missing: tests that need it will be skipped. (apt-get install postgresql)"; \
		fi; \
	fi

# A server in front of the app, as an office has it.
nginx:
	@if ! PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null || ! command -v openssl >/dev/null; then \
		if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
			echo "Installing nginx for the tests with a server in front."; \
			apt-get -qq update && DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends \
				nginx-light openssl >/dev/null || echo "It could not be installed: tests that need it will be skipped."; \
		else \
			echo "nginx or openssl is missing: tests that need them will be skipped. (apt-get install nginx-light openssl)"; \
		fi; \
	fi

# Spark, where there is Java.
spark: $(TEST_READY)
	@if ! command -v java >/dev/null; then \
		echo "Java is missing: tests on Spark will be skipped."; \
	elif ! $(BIN)/python -c 'import pyspark' 2>/dev/null; then \
		echo "Installing Spark into $(VENV) (430 MB)."; \
		$(PIP) $(LOCKED) --requirement requirements-spark.lock || \
			echo "It could not be installed: tests that need it will be skipped."; \
	fi

# uv writes the locks: the one of this machine, or one from the package index in an environment of its own.
lock:
	@uv=$$(command -v uv) || { \
		fresh=$$(mktemp -d) && trap 'rm -rf "$$fresh"' EXIT && $(PYTHON) -m venv "$$fresh" && \
		"$$fresh/bin/python" -m pip --quiet --quiet install uv && uv="$$fresh/bin/uv"; \
	}; \
	write="$$uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
		--custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)" && \
	eval "$$write requirements.txt --output-file requirements.lock" && \
	eval "$$write requirements.txt --group dev --constraint requirements.lock --output-file requirements-dev.lock" && \
	eval "$$write --group spark --constraint requirements-dev.lock --output-file requirements-spark.lock" && \
	$(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")' | \
		eval "$$write - --output-file requirements-build.lock"

man: $(RUN_READY)
	@$(BIN)/python -m fairaudit.cli.man_page > docs/fairaudit.1

# What builds the wheel, apart from what runs and tests it.
$(BUILD_READY): requirements-build.lock
	$(CHECK_PYTHON)
	@$(PYTHON) -m venv --clear $(BUILD)
	@$(BUILD)/bin/python $(QUIET_PIP) $(LOCKED) --requirement requirements-build.lock
	@touch $@

# From the source archive, so that the wheel holds nothing that lies about in this folder.
wheel: $(BUILD_READY)
	@rm -f $(DIST)/fairaudit-*
	@$(BUILD)/bin/python -m hatchling build --target sdist --directory $(DIST) >/dev/null 2>&1
	@$(BUILD)/bin/python $(QUIET_PIP) wheel --no-deps --no-build-isolation --wheel-dir $(DIST) $(DIST)/fairaudit-*.tar.gz
	@ls $(DIST)/fairaudit-*

# Wheels for this system and $(PYTHON).
wheelhouse: wheel
	@rm -rf $(WHEELHOUSE) && mkdir -p $(WHEELHOUSE)
	@$(BUILD)/bin/python $(QUIET_PIP) download --no-deps --require-hashes --only-binary :all: \
		--requirement requirements.lock --dest $(WHEELHOUSE)
	@cp $(DIST)/fairaudit-*.whl docs/administration.md deploy/fairaudit.service deploy/serve.toml deploy/nginx.conf deploy/Caddyfile $(WHEELHOUSE)
	@$(BUILD)/bin/python deploy/wheelhouse.py $(WHEELHOUSE) requirements.lock

sizes: wheelhouse $(RUN_READY)
	@$(BIN)/python -m benchmarks.install_sizes $(WHEELHOUSE)

# The image of Containerfile, where an engine answers.
image:
	@for engine in podman docker; do \
		if $$engine info >/dev/null 2>&1; then exec $$engine build --tag fairaudit --file Containerfile .; fi; \
	done; \
	echo "Neither podman nor docker answers here: the image was not built." >&2; exit 1

bom: $(TEST_READY)
	@mkdir -p dist
	@$(BIN)/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --mc-type application \
		--output-reproducible --output-format JSON --output-file dist/bom.json

clean:
	@rm -rf $(VENV) docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis *.egg-info build dist
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
