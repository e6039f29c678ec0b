#!/usr/bin/env bash
# Every step of every ladder on the virtual GPU: right at the small shapes, and clean under `warpwise check`.
#
#     ladders.sh WARPWISE FOLDER_OF_LADDERS [LADDER…]
#
# A folder with a ladder.toml is a ladder; the others in kernels/ are of older kinds, with tests of their own.
set -euo pipefail
warpwise=$1 root=$2
shift 2
bad=0 ran=0
for toml in "$root"/*/ladder.toml; do
  folder=$(dirname "$toml")
  name=$(basename "$folder")
  if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
  ran=$((ran + 1))
  "$warpwise" ladder "$folder" --shape=small || { echo "$name: a step is wrong"; bad=1; }
  "$warpwise" ladder "$folder" --shape=small --check || { echo "$name: a step is not clean"; bad=1; }
done
[ "$ran" -gt 0 ] || { echo "there is no ladder below $root"; exit 1; }
echo "$ran ladders"
exit $bad
