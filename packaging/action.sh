#!/usr/bin/env bash
# The two steps of action.yml, whose inputs are environment variables here.
#
#     action.sh install     TARBALL, SHA256: unpacks it below RUNNER_TEMP and puts `warpwise` on the PATH of later steps
#     action.sh check       PATHS, FLAGS, ARGUMENTS, REPORTS: `warpwise check --each`; its exit code is the step's
set -euo pipefail

install() {
  local into=$RUNNER_TEMP/warpwise archive=$TARBALL
  rm -rf "$into"
  mkdir -p "$into"
  if [[ $TARBALL == https://* ]]; then
    archive=$RUNNER_TEMP/warpwise.tar.gz
    curl --fail --location --silent --show-error --proto '=https' --output "$archive" "$TARBALL"
  fi
  if [[ -n ${SHA256:-} ]]; then sha256sum --check --quiet <<<"$SHA256  $archive"; fi
  tar --extract --file "$archive" --directory "$into" --strip-components=1
  echo "$into/bin" >>"$GITHUB_PATH"
  "$into/bin/warpwise" version
}

check() {
  # Words apart by blanks; no pattern of the shell's in them means anything.
  set -f
  # shellcheck disable=SC2206
  local paths=($PATHS) flags=($FLAGS) arguments=($ARGUMENTS)
  warpwise check --each --annotations=always --sarif="$REPORTS/check.sarif" --junit="$REPORTS/check.xml" \
    "${flags[@]}" "${paths[@]}" -- "${arguments[@]}"
}

case ${1:-} in
  install | check) "$1" ;;
  *) echo "usage: action.sh install|check" >&2; exit 2 ;;
esac
