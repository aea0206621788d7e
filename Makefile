# Two commands matter: "make demo" shows the service at work, "make test" checks all of it.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
PORT ?= 8000
HOST ?= 127.0.0.1
BIN := .venv/bin
WORKERS ?= 2
SAMPLE ?= 15
SEED ?= 1
# A suite starts hundreds of processes: each module is compiled once, and what is printed is buffered as on
# any machine, whatever the shell says.
unexport PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED


.PHONY: audit demo mutate run env env-dev test suite test-db test-docker test-long test-nightly lint format types bench lock docs pictures messages clean

demo: env  ## the service with a championship of 544 players in play
	@$(BIN)/python -m config.serve --demo --host $(HOST) --port $(PORT)

run: env  ## the same server without demo data
	@$(BIN)/python -m config.serve --host $(HOST) --port $(PORT)

env:
	@if [ -z "$(PYTHON)" ]; then echo "No Python 3.11 or newer found: install one, or name it with make PYTHON=/path/to/python3." >&2; exit 1; fi
	@$(PYTHON) config/bootstrap.py requirements.txt

env-dev: env
	@$(PYTHON) config/bootstrap.py requirements-dev.txt

test: env-dev lint  ## style, types and the short form of every test; what needs a server skips where it is absent
	@$(MAKE) --no-print-directory -j2 types suite

# Each worker takes its share in one piece, and the one that is done first takes over from the other.
SHORT := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not long"

suite:
	@$(SHORT)

test-db: env-dev  ## what of it uses a database, on the one of DATABASE_URL
	@DATABASE_URL="$(DATABASE_URL)" $(SHORT) --database only tests

# The judges of pages and scripts; where they cannot be had, their tests say so and skip.
TOOLS := tests/browser/tools
$(TOOLS)/node_modules/.package-lock.json: $(TOOLS)/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix $(TOOLS) --ignore-scripts --no-audit --no-fund --silent && touch $@ || echo "Lighthouse, ESLint, TypeScript and the HTML checker could not be installed." >&2; fi

test-long: env-dev $(TOOLS)/node_modules/.package-lock.json  ## faults, races, fuzzing, load and browser journeys
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "long and not nightly"

test-nightly: env-dev $(TOOLS)/node_modules/.package-lock.json  ## the long tests that take the night: every case, both databases
	@$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m nightly

test-docker: env-dev  ## the containers built, started and upgraded for real; needs a Docker engine with Compose
	@$(BIN)/python -m pytest -rs -s tests/docker_upgrade.py

mutate: env-dev  ## change the product in one place at a time: do the tests notice? ROOMS="ledger config" SAMPLE=15 SEED=1
	@$(BIN)/python -m tests.mutate $(ROOMS) --sample $(SAMPLE) --seed $(SEED)

lint: env-dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/djlint --check --quiet templates tools/templates
	@$(BIN)/lint-imports --no-cache

audit: env-dev  ## ask the advisory service for known holes in what the service uses
	@$(BIN)/python -m tools dependency_audit

types: env-dev
	@$(BIN)/mypy

format: env-dev
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/djlint --reformat --quiet --warn templates tools/templates

bench: env-dev  ## speed as ratios to a named baseline, measured in one run
	@$(BIN)/python -m benchmarks

lock: env-dev  ## compile requirements.in and requirements-dev.in into pinned files with hashes; base images by digest
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q requirements.in -o requirements.txt
	@$(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header -q requirements-dev.in -c requirements.txt -o requirements-dev.txt
	@$(BIN)/python -m tools base_images

pictures: env-dev  ## go the way of the guides, keep their pictures (static/guides)
	@KEEP_PICTURES=1 $(BIN)/python -m pytest -q -n 0 -m long tests/browser/test_guide_pictures.py

messages: env-dev  ## gather the texts of code and templates, compile the translations (needs gettext)
	@$(BIN)/python manage.py makemessages -v 0 $(patsubst locale/%,-l %,$(wildcard locale/*)) --no-location --no-obsolete --no-wrap -i .venv -i var -i tests -i tools -i benchmarks
	@sed -i.bak '/^"POT-Creation-Date/d' locale/*/LC_MESSAGES/django.po && rm locale/*/LC_MESSAGES/django.po.bak
	@$(BIN)/django-admin compilemessages -v 0 -i .venv -i var

clean:  ## forget the environment and everything a running installation wrote
	@rm -rf .venv var
