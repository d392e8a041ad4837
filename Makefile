# The short way to everything. The presets in CMakePresets.json are the long way.

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local

.PHONY: llvm run test bench experiments format format-check tidy docs install clean setup release

# Checks the bundled example. One of its formulas fails, which is the point of it: status 1 is fine.
run: release
	build/release/tools/nestor check --witness examples/dataflow.rsm examples/dataflow.ctl || [ $$? -eq 1 ]

test: setup
	cmake --preset test
	cmake --build --preset test -j $(JOBS)
	ctest --preset test -j $(JOBS)

bench: setup
	cmake --preset bench
	cmake --build --preset bench -j $(JOBS)
	python3 bench/run.py build/bench build/bench/models

# The experiments of the paper that the strategies are from (docs/experiments.md); with its limits they take days.
# make experiments ARGS='--timeout=5 --grid-step=5 --pushdown-step=10' is a short run.
experiments: release
	@command -v gnuplot > /dev/null || tools/setup.sh gnuplot-nox
	PYTHONDONTWRITEBYTECODE=1 python3 bench/experiments/run.py $(ARGS)

setup:
	@tools/setup.sh

# What reading C and C++ programs needs besides; the next build then has them.
llvm:
	@tools/setup.sh $$(grep -v '^#' packages-llvm.txt)

release: setup
	@cmake --preset release
	@cmake --build --preset release -j $(JOBS)

# The programs that tests read are left as they are: their comments say what to expect, by line.
sources = $(shell git ls-files '*.h' '*.cpp' ':!test/llvm/programs' ':!rules')

format:
	clang-format-14 -i $(sources)

format-check:
	clang-format-14 --dry-run --Werror $(sources)

# Lints while it compiles; a warning is an error.
tidy: setup
	cmake --preset tidy
	cmake --build --preset tidy -j $(JOBS)

# The pages and scripts that are generated from the program's own tables.
docs: release
	build/release/tools/nestor docs cli > docs/cli.md
	build/release/tools/nestor completion bash > completions/nestor.bash

install: release
	cmake --install build/release --prefix $(PREFIX)

clean:
	rm -rf build
