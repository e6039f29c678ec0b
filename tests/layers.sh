#!/usr/bin/env bash
# Each folder of src includes only itself and what it stands on. src/layers.txt is the list; the table in ARCHITECTURE.md must
# say the same. Prints each offending line.
#
#     tests/layers.sh            the check; run by ctest
#     tests/layers.sh --table    the table as Markdown, for ARCHITECTURE.md
set -euo pipefail
cd "$(dirname "$0")/.."
list=src/layers.txt

declare -A stands_on allowed
table=$'| Folder | What it is | Stands on |\n|---|---|---|'
trim() { sed -E 's/^ +| +$//g' <<<"$1"; }
while IFS= read -r line; do
  case $line in
    '' | '#'*) ;;
    *'|'*)
      IFS='|' read -r folder what below <<<"$line"
      folder=$(trim "$folder") below=$(trim "${below:-}")
      stands_on[$folder]=$below
      table+=$'\n'"| \`src/$folder\` | $(trim "$what") | ${below// /, } |"
      ;;
    *' + '*) allowed[${line%% + *}]=${line#* + } ;;
    *) echo "$list: neither a folder nor a file: $line"; exit 1 ;;
  esac
done <$list
if [ "${1:-}" = --table ]; then
  echo "$table"
  exit
fi

bad=0
complain() { echo "$1"; bad=1; }

# The list and the tree name the same folders and files, and a folder stands on folders above it in the list.
for folder in src/*/; do
  folder=$(basename "$folder")
  [ -n "${stands_on[$folder]+listed}" ] || complain "$list: src/$folder is not listed"
done
for folder in "${!stands_on[@]}"; do
  [ -d "src/$folder" ] || complain "$list: there is no src/$folder"
done
for file in "${!allowed[@]}"; do
  [ -f "$file" ] || complain "$list: there is no $file"
done
seen=' '
while IFS='|' read -r folder _ below; do
  folder=$(trim "$folder")
  for name in $below; do
    case $seen in *" $name "*) ;; *) complain "$list: $folder stands on $name, which is not above it" ;; esac
  done
  seen+="$folder "
done < <(grep -E '^[a-z]+ \|' $list)

for folder in "${!stands_on[@]}"; do
  [ -d "src/$folder" ] || continue
  while IFS=: read -r file line include; do
    [[ $include =~ \"([a-z]+)/ ]] && target=${BASH_REMATCH[1]}
    [ -n "${stands_on[$target]+known}" ] || continue # not a folder of ours
    case " $folder ${stands_on[$folder]} ${allowed[$file]:-} " in
      *" $target "*) ;;
      *) complain "$file:$line: $folder may not include $target: $include" ;;
    esac
  done < <(grep -rnE '^#include "[a-z]+/' "src/$folder" --include='*.h' --include='*.cpp' --include='*.inc' || true)
done

if ! difference=$(diff <(echo "$table") <(grep -E '^\| (Folder|`src/)|^\|---\|---\|---\|$' ARCHITECTURE.md | head -n "$(wc -l <<<"$table")")); then
  complain "ARCHITECTURE.md: the table of folders differs from $list (tests/layers.sh --table prints it):"
  echo "$difference"
fi

[ $bad -eq 0 ] && echo "no folder includes upwards, and ARCHITECTURE.md says the same"
exit $bad
