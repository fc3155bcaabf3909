# aggregate: set-up, build and test. `make run` and `make test` need nothing but the Swift toolchain
# and a package manager; both print what they do.

SHELL := /bin/bash
PREFIX ?= /usr/local
SWIFT ?= swift
RELEASE := $(SWIFT) build -c release --static-swift-stdlib --product aggregate
STRICT := -Xswiftc -warnings-as-errors
BINARY := .build/release/aggregate

.PHONY: run build test lint install bench instructions docs fuzz clean dependencies

run: build
	$(BINARY) --source weather --sample --format table

build: dependencies
	$(RELEASE)

# The database tests run against a real server, which they start and stop themselves, and a real DuckDB; those of TLS, HTTP/2
# and proxies against servers in Python; those of compressed files on what gzip and zstd write. What can't be had is skipped,
# and said; with CI=true it is a failure.
test: lint
	@./Scripts/dependencies.sh postgresql python3 openssl zstd gzip binutils
	@./Scripts/duckdb.sh
	$(SWIFT) build --build-tests $(STRICT)
	SWIFT="$(SWIFT)" Scripts/test.sh $(STRICT)

lint:
	$(SWIFT) format lint --strict --recursive Package.swift Sources Plugins Tests

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/aggregate"

bench: build
	Benchmarks/run.sh

# Counts of instructions against the committed ones: finds a slower loop without an idle machine.
instructions: build
	@./Scripts/dependencies.sh valgrind
	Benchmarks/instructions.py --binary $(BINARY) --dir "$${TMPDIR:-/tmp}/aggregate-benchmarks"

docs: build
	$(BINARY) docs --output Docs/reference

fuzz: dependencies
	Scripts/fuzz.sh 60

dependencies:
	@./Scripts/dependencies.sh

clean:
	$(SWIFT) package clean
