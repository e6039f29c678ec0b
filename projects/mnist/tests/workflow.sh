#!/bin/sh
# From digits to a trained network and back to a picture: what a person does with mnist, one command after the other.
#
#     workflow.sh COMMAND…     the command that runs mnist
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { echo "mnist $*"; $command "$@" > "$work/out" 2>&1 || { cat "$work/out"; echo "FAIL: mnist $*"; exit 1; }; cat "$work/out"; }
says() { grep -q "$1" "$work/out" || { echo "FAIL: that does not say \`$1\`"; exit 1; }; }
command="$*"

run generate --images=3000 --pictures=12 "$work/data"
gzip "$work/data/train-images-idx3-ubyte" "$work/data/t10k-labels-idx1-ubyte"
run train --data="$work/data" --epochs=2 --lr=0.03 --target=0.95 --save="$work/net.safetensors" --report="$work/run.html"
says "on SYNTHETIC digits"
for part in "<svg" "synthetic digits" Confusion "data:image/png;base64"; do grep -q "$part" "$work/run.html" || { echo "FAIL: the report has no $part"; exit 1; }; done
for picture in loss mistakes; do head -c 4 "$work/run-$picture.png" | grep -q PNG || { echo "FAIL: run-$picture.png"; exit 1; }; done
run test --load="$work/net.safetensors" --data="$work/data" --batch=100
says "held-out synthetic images are right"
run train --load="$work/net.safetensors" --data="$work/data" --epochs=1 --target=0.95   # goes on where it stopped
run predict --load="$work/net.safetensors" "$work"/data/*-is-*.png
right=$(sed -nE 's/.*-is-([0-9])\.png: \1 .*/yes/p' "$work/out" | wc -l)
[ "$right" -ge 10 ] || { echo "FAIL: only $right of 12 pictures were read right"; exit 1; }
echo PASS
