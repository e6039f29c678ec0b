# The front door. `make demo` takes a fresh Debian 12 machine to CUDA programs running on the virtual
# GPU; everything below is a thin name for a CMake or ninja command, so that nothing is known only here.

SHELL := /bin/bash
BUILD ?= build/release
PREFIX ?= /usr/local
# A compiler cache, where there is one. CMake's precompiled headers are the same for every build folder of a checkout.
CACHE := $(shell command -v ccache)
CMAKE_FLAGS ?= $(if $(CACHE),-DCMAKE_CXX_COMPILER_LAUNCHER="env;CCACHE_SLOPPINESS=pch_defines$(,)time_macros;ccache")
# Clang, which Warpwise needs anyway, builds it in two thirds of GCC's time and makes a faster interpreter. CXX=g++ CC=gcc: another.
CONFIGURE = if [ -z "$$CXX" ] && command -v clang++-19 > /dev/null; then export CC=clang-19 CXX=clang++-19; fi; \
            cmake --log-level=WARNING $(CMAKE_FLAGS) --preset
# Keep below the memory of the machine: a file that includes LLVM takes about 1 GiB to compile.
JOBS ?= $(shell n=$$(nproc); m=$$(awk '/MemAvailable/ {print int($$2 / 1048576)}' /proc/meminfo); \
               echo $$(( m < 1 ? 1 : m < n ? m : n )))

# A comma that is no separator.
, := ,

.DEFAULT_GOAL := help
.PHONY: help setup configure build runtime demo test sanitize bench conformance docs fuzz nightly format format-check installed install deb tarball wheel clean

help:  ## this list
	@echo "Warpwise: write, run, check and profile CUDA kernels on any machine."
	@echo
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup:  ## install the missing packages (scripts/packages.txt)
	@scripts/setup.sh

$(BUILD)/build.ninja: | setup
	@$(CONFIGURE) release -B $(BUILD)

build: setup $(BUILD)/build.ninja  ## build everything (release)
	@ninja -C $(BUILD) -j $(JOBS) --quiet

runtime: setup $(BUILD)/build.ninja  ## build what runs programs: no tests, benchmarks or fuzzers
	@ninja -C $(BUILD) -j $(JOBS) --quiet runtime

demo: runtime  ## build what runs programs, then run the examples on the virtual GPU
	@scripts/demo.sh $(BUILD)/bin/warpwise

test: build  ## build, then run every test (FORCE=1: even when nothing has changed)
	@scripts/test.sh $(BUILD)

bench: setup  ## build and run the benchmarks
	@$(CONFIGURE) release -B $(BUILD) -DWARPWISE_BENCH=ON
	@ninja -C $(BUILD) -j $(JOBS) --quiet
	@if [ -x bench/run ]; then WARPWISE=$(BUILD)/bin/warpwise bench/run; \
	 else shopt -s nullglob; for b in $(BUILD)/bin/bench_*; do echo "== $$(basename $$b)"; "$$b" || exit; done; fi

conformance: build  ## build and run the CUDA programs of SUITE=folder (docs/conformance.md)
	@$(BUILD)/bin/conformance --warpwise=$(BUILD)/bin/warpwise $(if $(LIST),--list="$(LIST)") $(ARGS) "$(SUITE)"

docs: build  ## write the pages of docs/ that are made of tables
	@$(BUILD)/bin/warpwise isa --markdown > docs/isa.md
	@$(BUILD)/bin/warpwise api --markdown > docs/cuda_api.md
	@$(BUILD)/bin/warpwise lab verify --all --markdown > docs/problems.md
	@$(BUILD)/bin/warpwise lab verify --all --ladders=problems/ladders.json || [ $$? = 1 ]  # 1: times have changed

sanitize: setup  ## build with AddressSanitizer and UndefinedBehaviorSanitizer and run every test (ARGS="-R regex": some)
	@cmake --preset asan --log-level=WARNING $(CMAKE_FLAGS)
	@ninja -C build/asan -j $(JOBS) --quiet
	@scripts/sanitize.sh build/asan $(ARGS)

FUZZ_SECONDS ?= 60
FUZZ_FLAGS ?= -max_total_time=$(FUZZ_SECONDS) -entropic=0 -max_len=2048 -print_final_stats=1
fuzz: setup  ## build the fuzz targets with Clang and run each for FUZZ_SECONDS (60), or as FUZZ_FLAGS says (-runs=1000000)
	@cmake --preset fuzz --log-level=WARNING $(CMAKE_FLAGS)
	@ninja -C build/fuzz -j $(JOBS) --quiet fuzzers
	@shopt -s nullglob; for f in build/fuzz/bin/fuzz_*; do \
	   name=$$(basename $$f); part=$${name#fuzz_}; dict=; seeds=; mkdir -p build/fuzz/corpus/$$name; echo "== $$name"; \
	   [ ! -f fuzz/$$part.dict ] || dict=-dict=fuzz/$$part.dict; [ ! -f fuzz/$$part.seeds ] || seeds=$$(cat fuzz/$$part.seeds); \
	   "$$f" $(FUZZ_FLAGS) $$dict build/fuzz/corpus/$$name $$seeds || exit; done

NIGHTLY_PROGRAMS ?= 100000
NIGHTLY_FUZZ_SECONDS ?= 1800
NIGHTLY_MUTANTS ?= 66
nightly: build  ## what takes hours: problems with ten new seeds, new mutants of their solutions, the model beside published tables, new random programs, fuzzers for longer
	@first=$$(( $$(date +%s) / 86400 * 10 )); echo "seeds from $$first"; \
	 $(BUILD)/bin/warpwise lab verify --all --seeds=10 --first-seed=$$first
	@$(BUILD)/bin/warpwise lab verify --all --ladders=$(BUILD)/ladders.json
	@$(BUILD)/bin/lab_mutants --all --count=$(NIGHTLY_MUTANTS) --jobs=$(JOBS) --seed=$$(( $$(date +%s) / 86400 ))
	@scripts/model_table.py $(BUILD)/bin/warpwise --check
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -L nightly
	@$(BUILD)/bin/random_programs --seed=new --count=$(NIGHTLY_PROGRAMS) --jobs=all
	@$(MAKE) --no-print-directory fuzz FUZZ_SECONDS=$(NIGHTLY_FUZZ_SECONDS)

SOURCES = git ls-files 'src/*.h' 'src/*.cpp' 'include/warpwise/*.h' 'tests/*.h' 'tests/*.cpp' 'fuzz/*.cpp' 'bench/*.cpp'
FORMAT = $(firstword $(foreach f,clang-format-19 clang-format,$(shell command -v $(f))) clang-format-missing)
format:  ## clang-format our C++
	@$(SOURCES) | xargs -r $(FORMAT) -i

format-check: setup  ## fail when clang-format would change something
	@$(SOURCES) | xargs -r $(FORMAT) --dry-run -Werror

# What is installed: no tests.
installed: setup $(BUILD)/build.ninja
	@ninja -C $(BUILD) -j $(JOBS) --quiet runtime completions toolkit page

install: installed  ## install under PREFIX (/usr/local)
	@cmake --install $(BUILD) --prefix $(PREFIX)

deb: installed  ## make a Debian package in BUILD
	@scripts/setup.sh file  # tells cpack which files are programs and libraries, whose packages they then depend on
	@cd $(BUILD) && cpack -G DEB

tarball: installed  ## make a tarball in BUILD that brings along all that it needs
	@scripts/tarball.sh $(BUILD)

wheel: installed  ## make a wheel for Python in BUILD that brings along all that it needs (docs/python.md)
	@scripts/wheel.py $(BUILD)

clean:  ## remove every build folder
	@rm -rf build
