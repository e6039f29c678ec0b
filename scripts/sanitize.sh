#!/usr/bin/env bash
# Runs what `make test` runs in a build with AddressSanitizer and UndefinedBehaviorSanitizer (preset asan).
#
#     scripts/sanitize.sh BUILD [words of ctest: -R regex, say]
#
# A report of AddressSanitizer counts whether the test that caused it fails or not, because many tests expect a program to fail: reports go to
# files in BUILD/reports, and there must be none. Where files cannot be written, in the sandbox, they go to standard error.
set -euo pipefail
build=${1:?usage: scripts/sanitize.sh BUILD [words of ctest]}
shift
mkdir -p "$build"
build=$(realpath "$build")
reports=$build/reports
rm -rf "$reports"
mkdir -p "$reports"

# Left out, each for a reason:
#   layers, docs, docs_test, words   read source files and documents
#   report_browser, page_*   drive a browser; the page is not built
left_out='^(layers|docs|docs_test|words|report_browser|page_.*)$'

# handle_*=0: a program that is ended by a signal is ended by that signal, as tests expect; a test that does not expect it
# fails. detect_leaks=0: leaks are not looked for (docs/known_limits.md). detect_stack_use_after_return=0: runtimes since
# GCC 13 keep frames on a stack of their own, which a fiber that is switched does not take along. GCC's two runtimes share
# one name for where reports go, and the first of them takes it: those of undefined behaviour stay on standard error, and
# end the program by SIGABRT, which no test takes for another failure.
export ASAN_OPTIONS="detect_leaks=0:detect_stack_use_after_return=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigfpe=0:handle_sigill=0:log_path=$reports/asan"
export UBSAN_OPTIONS="print_stacktrace=1:halt_on_error=1:abort_on_error=1"
status=0
ctest --test-dir "$build" --output-on-failure --no-tests=error --timeout 36000 -j "${JOBS:-$(nproc)}" -E "$left_out" "$@" || status=$?
if [ -n "$(ls "$reports")" ]; then
  echo "reports of the sanitizers (in $reports):"
  cat "$reports"/* | grep -E "runtime error:|ERROR: |WARNING: " | sed -E 's/^==[0-9]+==//; s/0x[0-9a-f]+/0x…/g' | sort | uniq -c | sort -rn || true
  exit 1
fi
exit $status
