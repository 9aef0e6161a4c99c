# Thin on purpose: cmake/setup.py provides the tools, CMake does the work (see CMakePresets.json).

SHELL := /bin/bash
cmake := build/tools/cmake
ctest := build/tools/ctest --parallel $(shell nproc)
build = $(cmake) --build --preset
# Containers often forbid Python to keep what it compiled: then each start of a test reads torch's sources anew, for seconds.
export PYTHONDONTWRITEBYTECODE :=
.DEFAULT_GOAL := help

.PHONY: help setup demo test conformance bench ferry single-include tidy sanitize format clean

help:             ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-16s%s\n", $$1, $$2}' Makefile

demo: build/dev/build.ninja                 ## build and run the demonstration
	$(build) dev --target ferry_demo
	build/dev/examples/ferry_demo build/demo

test: build/dev/build.ninja                 ## build and run all tests
	$(build) dev
	$(ctest) --preset dev

conformance: ferry build/dev/build.ninja     ## what Python exports, run and written again by build/ferry, beside eager
	@python3 cmake/setup.py --with zoo lowering
	python3 tests/conformance/run.py --beside-python
	$(build) dev --target test_models ferry_executorch_runtime
	FERRY_EXECUTORCH_RUNTIME=build/dev/examples/libferry_executorch_runtime.so build/dev/tests/test_models "--test-suite=every export"

bench: build/release/build.ninja            ## run the benchmarks
	@python3 cmake/setup.py --with lowering
	python3 bench/run.py

ferry: build/release/build.ninja            ## build the command-line program, build/ferry
	$(build) release --target ferry_cli

single-include: build/dev/build.ninja       ## regenerate the headers in single_include/ferry
	$(build) dev --target single_include

tidy: build/dev/build.ninja                 ## check the format of all sources, the headers with clang-tidy, and each header alone
	$(build) dev --target format_check tidy headers_alone

sanitize: build/sanitize/build.ninja        ## run the tests under the address and undefined behaviour sanitizers
	$(build) sanitize
	$(ctest) --preset sanitize

format: build/dev/build.ninja               ## format all sources
	$(build) dev --target format

clean:                                      ## remove the build trees (what setup installed stays cached)
	rm -rf build

setup:
	@python3 cmake/setup.py

# Once configured, the build itself sees when it must be configured anew.
build/%/build.ninja: CMakePresets.json | setup
	$(cmake) --preset $*
	@touch $@
