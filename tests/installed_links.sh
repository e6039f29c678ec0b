#!/usr/bin/env bash
# installed_links.sh CMAKE BUILD: what BUILD installs, in a folder of its own: every link of every Markdown file there is a
# web address or leads to a file or folder of the installation. (docs.sh holds the links of the source, and anchors.)
set -euo pipefail
folder=$(realpath "$(mktemp -d)")
trap 'rm -rf "$folder"' EXIT
# A component has a manifest of its own: install_manifest.txt stays that of `make install`.
DESTDIR=$folder "$1" --install "$2" --prefix /usr --component Unspecified >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cd "$folder/usr"

# Links outside of code: FILE, LINE and TARGET on each line of output.
links='
  FNR == 1 { fence = 0 }
  /^ *(```|~~~)/ { fence = !fence; next }
  fence || /^(    |\t)/ { next }
  {
    gsub(/`[^`]*`/, "x")
    while (match($0, /\]\([^)]+\)|(src|href)="[^"]+"/)) {
      target = substr($0, RSTART, RLENGTH)
      $0 = substr($0, RSTART + RLENGTH)
      gsub(/^\]\(|\)$|^(src|href)="|"$/, "", target)
      print FILENAME "\t" FNR "\t" target
    }
  }
'
bad=0 documents=0 count=0
while IFS= read -r -d '' file; do
  documents=$((documents + 1))
  while IFS=$'\t' read -r _ line target; do
    count=$((count + 1))
    [[ $target =~ ^[a-z]+: || $target == \#* ]] && continue
    target=${target%%#*}
    target=$(realpath -m "$(dirname "$file")/${target%% *}")
    [[ $target == "$PWD"/* && -e $target ]] || { echo "$file:$line: the link leads nowhere: $target"; bad=1; }
  done < <(awk "$links" "$file")
done < <(find . -name '*.md' -type f -print0)

[ $count -gt 300 ] || { echo "only $count links in $documents documents were found"; bad=1; }
[ $bad -eq 0 ] && echo "$documents documents: $count links lead somewhere"
exit $bad
