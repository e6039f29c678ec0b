#!/usr/bin/env bash
# Holds the documents against the tree. Every Markdown file of ours:
#
#   links      a relative link leads to a file, and its #anchor to a heading there
#   tables     every row of a table has as many columns as its head; no row stands outside of a table
#   names      a name of a file in backquotes, `src/base/result.h` or `walk_warps.h`, is that of a file
#   words      no retired word (words.sh)
#
# Code blocks are left out, but for retired words. Prints each offending line; run by ctest as `docs`.
set -euo pipefail
cd "$(dirname "$0")/.."
shopt -s extglob nullglob globstar

GLOBIGNORE='bench/results/*'  # what benchmarks have written
documents=(*.md .github/*.md docs/**/*.md {bench,examples,fuzz,kernels,problems,projects,src,tests}/**/*.md)
unset GLOBIGNORE
bad=0
complain() { echo "$1"; bad=1; }

# --- what there is: every file, and every end of its path that begins behind a slash
declare -A exists
while IFS= read -r -d '' file; do
  file=${file#./}
  rest=$file
  while :; do
    exists[$rest]=1
    [[ $rest == */* ]] || break
    rest=${rest#*/}
  done
  # ... and its folders
  rest=${file%/*}
  while [[ $rest == */* ]]; do exists[$rest]=1; rest=${rest%/*}; done
done < <(find . -name .git -prune -o -path ./build -prune -o -type f -print0)

# Names in documents that are not files of this repository: what users write, and headers of others.
not_ours='^(nvtx3/.*|cuda[A-Za-z_]*\.h|[a-z]*fp(4|6|8|16)\.h|curand[A-Za-z_]*\.h|driver_types\.h|nvToolsExt[A-Za-z]*\.h|omp\.h|stdio\.h|cooperative_groups\.h|prog\.cu|reference\.cpp|.*/matmul\.json|sarif-2\.1/.*|dev/cuda|testsuite/CUDA|Samples/.*|build/.*|bench/results|ci/.*)$'
ours='^(\.github|bench|cmake|docs|examples|fuzz|include|kernels|page|problems|projects|scripts|src|tests)/'

# A name that stands for several: NAME, KEY and CODE for any, {a,b} for each, … and * for anything.
check_name() { # NAME PLACE
  local name=$1
  if [[ $name =~ ^(.*)\{([a-zA-Z0-9_.,/-]+)\}(.*)$ ]]; then
    local before=${BASH_REMATCH[1]} after=${BASH_REMATCH[3]} one
    for one in ${BASH_REMATCH[2]//,/ }; do check_name "$before$one$after" "$2"; done
    return
  fi
  name=${name%%:+([0-9])}
  name=${name%/}
  [[ $name =~ $not_ours ]] && return
  [ -n "${exists[$name]:-}" ] && return
  [ -d "$name" ] && return
  if [[ $name == *[*…]* || $name =~ (NAME|KEY|CODE|PROBLEM) ]]; then
    local pattern=${name//…/**} beside
    pattern=${pattern//@(NAME|KEY|CODE|PROBLEM)/*}
    beside=$(dirname "${2%:*}")/$pattern  # in the tree, or beside the document
    # shellcheck disable=SC2206
    local found=($pattern $beside)
    [ ${#found[@]} -gt 0 ] && return
  fi
  complain "$2: there is no file \`$1\`"
}

# GitHub's anchor of a heading.
anchors_of() { # FILE
  sed -nE '/^(```|    )/d; s/^#+ +(.*)$/\1/p' "$1" | sed -E 's/`//g; s/\[([^]]*)\]\([^)]*\)/\1/g' | tr '[:upper:]' '[:lower:]' | sed -E 's/[^[:alnum:] _-]//g; s/ /-/g'
}

# --- one pass over the text of all documents: links, names and rows of tables, one on each line of output
scan='
  function code(line) { return line ~ /^(    |\t)/ && !list }
  function alone() { if (columns && last == head) print file ":" head "\ttable\ta row that stands alone" }
  FNR == 1 { alone(); fence = 0; list = 0; columns = 0 }
  { file = FILENAME; last = FNR }
  /^ *(```|~~~)/ { fence = !fence; columns = 0; next }
  fence { next }
  /^ *([-*+]|[0-9]+\.) / { list = 1 }
  /^[^ \t-]/ && !/^[0-9]+\./ { list = 0 }
  code($0) { next }
  {
    line = $0
    while (match(line, /`[^`]+`/)) {
      name = substr(line, RSTART + 1, RLENGTH - 2)
      if (name !~ /[ <>"$=()]/) print FILENAME ":" FNR "\tname\t" name
      line = substr(line, 1, RSTART - 1) "x" substr(line, RSTART + RLENGTH)
    }
    text = line
    while (match(text, /\]\([^)]+\)/)) {
      print FILENAME ":" FNR "\tlink\t" substr(text, RSTART + 2, RLENGTH - 3)
      text = substr(text, RSTART + RLENGTH)
    }
    if ($0 ~ /^\|/) {
      row = $0
      gsub(/\\\|/, "", row)
      n = gsub(/\|/, "|", row)
      if (columns == 0) { columns = n; head = FNR }
      else if (FNR == head + 1) {
        if ($0 !~ /^\|[-: |]+\|$/) print FILENAME ":" FNR "\ttable\ta row without a head and a line of dashes above it"
        if (n != columns) print FILENAME ":" FNR "\ttable\tthe line of dashes has " n - 1 " columns, the head " columns - 1
      }
      else if (n != columns) print FILENAME ":" FNR "\ttable\t" n - 1 " columns, the head has " columns - 1
    } else {
      if (columns && FNR == head + 1) print FILENAME ":" head "\ttable\ta row that stands alone"
      columns = 0
    }
  }
  END { alone() }
'
declare -A anchors
while IFS=$'\t' read -r place kind what; do
  case $kind in
    table) complain "$place: $what" ;;
    name)
      if [[ $what =~ $ours ]] || [[ $what =~ ^[A-Za-z0-9_./{},*…-]+\.(h|inc|cpp)$ && $what != .* ]]; then check_name "$what" "$place"; fi
      ;;
    link)
      [[ $what =~ ^([a-z]+:|\<) ]] && continue
      what=${what%% \"*}
      file=${place%:*} target=${what%%#*}
      if [ -n "$target" ]; then
        path=$(dirname "$file")/$target
        [ -e "$path" ] || { complain "$place: the link leads nowhere: $what"; continue; }
      else
        path=$file
      fi
      if [[ $what == *#* && $path == *.md ]]; then
        [ -n "${anchors[$path]:-}" ] || anchors[$path]=$'\n'$(anchors_of "$path")$'\n'
        [[ ${anchors[$path]} == *$'\n'"${what#*#}"$'\n'* ]] || complain "$place: no such heading: $what"
      fi
      ;;
  esac
done < <(awk "$scan" "${documents[@]}")

words=$(tests/words.sh "${documents[@]}") || complain "$words"

[ $bad -eq 0 ] && echo "${#documents[@]} documents: links, tables, names of files and words are right"
exit $bad
