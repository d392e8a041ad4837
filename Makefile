# The short way to everything. The presets in CMakePresets.json are the long way.

JOBS   ?= $(shell nproc)
PREFIX ?= /usr/local
build   = build/release

.PHONY: help run quick test bench experiments slurm-test campaign llvm view mpi browser proof proof-test format format-check tidy docs install uninstall \
  python wheel package package-test dist site tsan clean setup configure release

# Checks the bundled example. One of its formulas fails, which is the point of it: status 1 is fine.
run: release ## builds the program and checks the bundled example
	$(build)/tools/nestor check --witness examples/dataflow.rsm examples/dataflow.ctl || [ $$? -eq 1 ]

test: configure ## builds and runs every test; NESTOR_SCALE=0.1 (or 10) scales the random comparisons
	cmake --build $(build) -j $(JOBS)
	ctest --preset release -j $(JOBS)

quick: configure ## builds all and runs the fast tests only, with a tenth of the random cases
	cmake --build $(build) -j $(JOBS)
	NESTOR_SCALE=$${NESTOR_SCALE:-0.1} ctest --preset release -j $(JOBS) -L fast

bench: configure ## measures; rewrites the figures of docs/ from what it measured
	cmake --build $(build) -j $(JOBS) --target benchmarks
	python3 bench/run.py $(build) $(build)/models

# With the limits of the paper they take days.
# make experiments ARGS='--timeout=5 --grid-step=5 --pushdown-step=10' is a short run.
experiments: release ## the experiments of the paper that the strategies are from (docs/experiments.md)
	@command -v gnuplot > /dev/null || tools/setup.sh gnuplot-nox
	PYTHONDONTWRITEBYTECODE=1 python3 bench/experiments/run.py $(ARGS)

slurm-test: release ## the recipe for Slurm, with a controller and two nodes on this machine; must be root
	@tools/setup.sh slurmctld slurmd slurm-client munge
	python3 -B test/shards/recipes.py $(build)/tools/nestor . --slurm

campaign: release ## lints forty packages of Debian, in build/campaign; must be root (docs/batch.md)
	python3 -B tools/campaign/campaign.py $(build)/tools/nestor build/campaign tools/campaign/debian-40.txt --build-dep $(ARGS)

setup: ## installs the Debian packages that are missing
	@tools/setup.sh

llvm: ## installs what reading C and C++ programs needs besides; the next build then has them
	@tools/setup.sh $$(grep -v '^#' packages-llvm.txt)

view: ## installs what drawings in pages and 'nestor serve' need; the next build then has them
	@tools/setup.sh $$(grep -v '^#' packages-view.txt)

mpi: ## installs what 'nestor-mpi' needs, for many machines; the next build then has it
	@tools/setup.sh $$(grep -v '^#' packages-mpi.txt)

browser: view ## installs a browser, in which tests then look at pages
	@tools/setup.sh $$(grep -v '^#' packages-browser.txt)

proof: ## checks the proof that certificates are sound, and builds build/release/proof/nestor-verify-proved
	@tools/setup.sh $$(grep -v '^#' packages-proof.txt)
	@mkdir -p $(build)/proof
	@$(MAKE) --no-print-directory -C proof OUT=$(abspath $(build)/proof)

proof-test: proof configure ## all tests of the proved checker, some minutes; 'make test' has a part of them
	cmake --build $(build) -j $(JOBS) --target nestor certificates
	python3 -B test/proof/run.py $(build)/tools/nestor $(build)/test/random/certificates . $(build)/proof --all

configure: setup
	@cmake --preset release

release: configure ## builds the program
	@cmake --build $(build) -j $(JOBS) --target nestor

# The programs that tests read are left as they are: their comments say what to expect, by line.
sources = $(shell git ls-files '*.h' '*.cpp' ':!test/llvm/programs' ':!test/lint' ':!rules')

format: ## formats the sources and wraps the pages
	clang-format-14 -i $(sources)
	python3 -B test/docs/wrap.py .

format-check: ## refuses sources that are not formatted
	clang-format-14 --dry-run --Werror $(sources)

tidy: setup ## lints while it compiles; a warning is an error
	cmake --preset tidy
	cmake --build --preset tidy -j $(JOBS)

docs: release ## writes the pages and scripts that come from the program's own tables
	$(build)/tools/nestor docs cli > docs/cli.md
	$(build)/tools/nestor completion bash > completions/nestor.bash
	$(build)/tools/nestor completion zsh > completions/_nestor
	$(build)/tools/nestor completion fish > completions/nestor.fish
	$(build)/tools/nestor docs man > share/man/nestor.1

install: configure ## installs program, library, headers, completions and manual below PREFIX
	cmake --build $(build) -j $(JOBS) --target nestor nestor_shared nestor_static
	[ ! -e $(build)/python/cmake_install.cmake ] || cmake --build $(build) -j $(JOBS) --target nestor_python
	cmake --install $(build) --prefix $(PREFIX)
	cp $(build)/install_manifest.txt $(build)/installed.txt

uninstall: ## removes what the last 'make install' installed
	xargs -d '\n' rm -f < $(build)/installed.txt
	sed -En 's#(/[^/]*[Nn]estor[^/]*)/.*#\1#p' $(build)/installed.txt | sort -u | while read -r folder; do \
	  [ ! -d "$$folder" ] || find "$$folder" -depth \( -name '*.pyc' -o -type d -empty \) -delete; done

python: ## installs what the Python module needs, and builds it below build/release/python
	@tools/setup.sh $$(grep -v '^#' packages-python.txt)
	@cmake --preset release
	cmake --build $(build) -j $(JOBS) --target nestor_python

wheel: python ## a wheel for Python 3.11, in build/release/wheel
	/usr/bin/python3 -m build --wheel --no-isolation --outdir $(build)/wheel .
	rm -rf build/lib build/bdist.* python/nestor.egg-info

package: configure ## Debian packages, in build/package
	@tools/setup.sh $$(grep -v '^#' packages-release.txt)
	tools/package.sh build/package

package-test: package ## installs the packages into an empty Debian root and runs the README's examples there; minutes
	python3 -B test/package/run.py build/package .

dist: ## a tarball of the sources as they are committed, the same bytes whoever makes it
	tools/dist.sh build/dist

site: ## the documentation as a site, in build/site, with the references of C++ and Python
	@tools/setup.sh $$(grep -v '^#' packages-release.txt)
	tools/site.sh build/site

tsan: ## two threads with two sessions each, under ThreadSanitizer; builds half of Nestor for it
	cmake --preset tsan
	cmake --build build/tsan -j $(JOBS) --target unit_api
	TSAN_OPTIONS='halt_on_error=1 suppressions=$(CURDIR)/test/api/tsan.supp' build/tsan/test/unit_api --gtest_filter='*Thread*'

clean: ## removes everything that was built
	rm -rf build

help: ## this list
	@sed -n 's/^\([a-z-]*\):.* ## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14
