#!/usr/bin/env bash
# Runs every test of a build folder but those of `make nightly`; when nothing has changed since they all passed, says so instead.
#
#     scripts/test.sh BUILD          CI=true or FORCE=1: run them whatever has been
#
# "Nothing has changed": no file of the checkout and nothing that was built is newer than the last run.
set -euo pipefail
build=${1:?usage: scripts/test.sh BUILD}
passed=$build/tests.passed

unchanged() {
  [ "${CI:-}" != true ] && [ -z "${FORCE:-}" ] && [ -f "$passed" ] || return 1
  git rev-parse --is-inside-work-tree >/dev/null 2>&1 || return 1
  [ -z "$(find "$build/bin" "$build/lib" -newer "$passed" -type f -print -quit)" ] || return 1
  [ -z "$(git ls-files -z --cached --others --exclude-standard | xargs -0 -r sh -c 'find "$@" -newer "$0" -print -quit 2>&1' "$passed")" ]
}

if unchanged; then
  echo "nothing has changed since these tests passed ($(date -r "$passed" '+%F %T')); FORCE=1 make test runs them again"
  cat "$passed"
  exit
fi
log=$(mktemp)
# Tests neither see nor touch what the user has solved and profiled.
XDG_DATA_HOME=$(mktemp -d)
export XDG_DATA_HOME
trap 'rm -rf "$log" "$XDG_DATA_HOME"' EXIT
ctest --test-dir "$build" --output-on-failure --no-tests=error -LE nightly -j "$(nproc)" | tee "$log"
tail -12 "$log" | grep -E 'tests passed|Total Test time' >"$passed.new"
mv "$passed.new" "$passed"
