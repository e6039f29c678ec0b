#!/usr/bin/env bash
# Looks for retired words (scripts/retired_words.txt) and prints each line that has one, then the number of hits of each folder.
#
#     tests/words.sh [FILE|FOLDER...]      src include tests scripts, unless named; run by ctest as `words`
#     tests/words.sh --count [...]         the numbers alone
set -euo pipefail
cd "$(dirname "$0")/.."
count_only=
[ "${1:-}" = --count ] && count_only=yes && shift
[ $# -gt 0 ] || set -- src include tests scripts

# A word of prose or of an identifier: small, with a capital in camelCase or at the start of a sentence, or in capitals.
pattern_of() {
  local small=${1// /[\\s_]*} capital capitals
  capital=$(sed -E 's/^(\(?)([a-z])/\1\u\2/; s/\|([a-z])/|\u\1/g' <<<"$small")
  capitals=$(sed -E 's/(\\s|\\b)/\x01\1/g; s/[a-z]/\u&/g; s/\x01\\S/\\s/g; s/\x01\\B/\\b/g' <<<"$small")
  echo "(?<![A-Za-z])(?:$small|$capital)(?![a-z])|(?<=[a-z])(?:$capital)(?![a-z])|(?<![A-Za-z])(?:$capitals)(?![A-Za-z])"
}

hits=$(mktemp)
trap 'rm -f "$hits"' EXIT
while IFS='|' read -r -a columns; do
  line=$(IFS='|'; echo "${columns[*]}")
  case $line in '' | '#'*) continue ;; esac
  # The pattern may have bars within parentheses: it ends at the first bar outside of them.
  pattern='' depth=0
  for ((i = 0; i < ${#line}; i++)); do
    character=${line:i:1}
    case $character in
      '(') depth=$((depth + 1)) ;;
      ')') depth=$((depth - 1)) ;;
      '|') [ $depth -gt 0 ] || break ;;
    esac
    pattern+=$character
  done
  IFS='|' read -r instead but_in <<<"${line:i+1}"
  grep -rnP --include='*.h' --include='*.cpp' --include='*.inc' --include='*.cu' --include='*.cuh' --include='*.ptx' --include='*.txt' \
    --include='*.sh' --include='*.py' --include='*.md' --include='*.toml' --include='*.cmake' --exclude=retired_words.txt --exclude=words.sh --exclude=docs_test.sh --exclude-dir=node_modules \
    "$(pattern_of "$pattern")" "$@" |
    { [ -n "$but_in" ] && grep -vE "^($but_in):" || cat; } |
    sed -E "s|^([^:]*:[0-9]+):.*|\1: retired: ${pattern//|/ or }; write: $instead|" >>"$hits" || true
done <scripts/retired_words.txt

[ -s "$hits" ] || { echo "no retired word in $*"; exit 0; }
[ -n "$count_only" ] || sort -V "$hits"
echo
echo "hits by folder:"
cut -d: -f1 "$hits" | sed -E 's,/[^/]+$,,; s,^((src|tests)/[^/]+)/.*,\1,' | sort | uniq -c | sort -rn
echo "$(wc -l <"$hits") in all: $(cut -d: -f1 "$hits" | sort -u | wc -l) files"
exit 1
