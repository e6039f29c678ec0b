#!/bin/sh
# What mnist says to damaged files, impossible requests and interrupted runs: one line that names the matter, an exit code
# other than 0, and nothing lost.
#
#     bad_input.sh COMMAND…     the command that runs mnist
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# refused TEXT ARGUMENTS…: mnist must fail and say TEXT.
refused() {
  text=$1; shift
  if "$mnist" "$@" > "$work/out" 2>&1; then
    echo "WRONG: mnist $* succeeded"; failures=$((failures + 1))
  elif ! grep -q "$text" "$work/out"; then
    echo "WRONG: mnist $* did not say \`$text\` but:"; cat "$work/out"; failures=$((failures + 1))
  fi
}
accepted() {
  if ! "$mnist" "$@" > "$work/out" 2>&1; then
    echo "WRONG: mnist $* failed:"; cat "$work/out"; failures=$((failures + 1))
  fi
}

# A command of several words as one.
printf '#!/bin/sh\nexec %s "$@"\n' "$*" > "$work/mnist"
chmod +x "$work/mnist"
mnist=$work/mnist
train="train --step=1 --batch=2 --images=4"

good=$work/good
accepted generate --images=48 "$good"
accepted $train --data="$good" --save="$work/net.safetensors"

# fresh: a folder of good files, to be damaged
fresh() { rm -rf "$work/bad"; cp -r "$good" "$work/bad"; }
images=train-images-idx3-ubyte labels=train-labels-idx1-ubyte

fresh; gzip "$work/bad/$images" "$work/bad/$labels"
accepted $train --data="$work/bad"
head -c 3000 "$good/$images" | gzip > "$work/bad/$images.gz"
refused "cut off or damaged" $train --data="$work/bad"
gzip < "$good/$images" | head -c 3000 > "$work/bad/$images.gz"
refused "compressed data" $train --data="$work/bad"
fresh; head -c 3000 "$good/$images" > "$work/bad/$images"
refused "cut off or damaged" $train --data="$work/bad"
fresh; head -c 7 "$good/$labels" > "$work/bad/$labels"
refused "too few for the header" $train --data="$work/bad"
fresh; cp "$good/$labels" "$work/bad/$images"
refused "swapped" $train --data="$work/bad"
fresh; echo hello world hello > "$work/bad/$images"
refused "not an IDX file" $train --data="$work/bad"
fresh; { head -c 8 "$good/$labels"; head -c 48 /dev/zero | tr '\0' '\12'; } > "$work/bad/$labels"
refused "labels are 0 to 9" $train --data="$work/bad"
fresh; { printf '\0\0\010\001\0\0\0\003'; head -c 3 /dev/zero; } > "$work/bad/$labels"
refused "do not belong together" $train --data="$work/bad"
refused "fetch.sh" $train --data="$work/nowhere"

refused "larger than the data" train --step=1 --batch=64 --images=10
refused "is not an option" train --epoch=3
refused "no command" trian
refused "a whole number" train --batch=2.5
refused "there are fp32" train --precision=fp8
refused "needs a step with tensor cores" train --step=1 --precision=bf16
# A rate that blows the network up: the training stops, names the layer, and leaves the checkpoint as it was.
cp "$work/net.safetensors" "$work/kept.safetensors"
refused "first layer with values that are not finite" train --step=1 --batch=4 --images=64 --lr=1e37 --save="$work/kept.safetensors"
cmp -s "$work/net.safetensors" "$work/kept.safetensors" || { echo "WRONG: the checkpoint was touched"; failures=$((failures + 1)); }

net=$work/net.safetensors
head -c 1000 "$net" > "$work/short"; refused "cut off" test --step=1 --load="$work/short" --data="$good" --batch=2
head -c 5 "$net" > "$work/short"; refused "not a safetensors file" test --step=1 --load="$work/short" --data="$good" --batch=2
sed 's/"shape":\[32,1,3,3\]/"shape":[32,1,5,5]/' "$net" > "$work/other"; refused "conv1.weight has shape" test --step=1 --load="$work/other" --data="$good" --batch=2
sed 's/linear2.bias/linear3.bias/' "$net" > "$work/other"; refused "has no tensor linear2.bias" test --step=1 --load="$work/other" --data="$good" --batch=2
refused "needs a checkpoint" test --step=1 --data="$good"
refused "not a PNG file" predict --load="$net" "$net"
refused "No such file" predict --load="$net" "$work/none.png"

# ^C in an epoch: the program ends with the shell's code for it, and the checkpoint is whole.
"$mnist" train --step=1 --batch=8 --epochs=1000 --images=800 --save="$work/net.safetensors" > "$work/log" 2>&1 &
pid=$!
for i in $(seq 300); do grep -q 'step' "$work/log" && break; sleep 0.1; done
grep -q 'epoch 1' "$work/log" || sleep 3
kill -INT $pid
wait $pid
code=$?
[ $code = 130 ] || { echo "WRONG: ^C gave exit code $code"; cat "$work/log"; failures=$((failures + 1)); }
accepted test --step=1 --load="$net" --data="$good" --batch=2

[ $failures = 0 ] && echo PASS || { echo "FAIL: $failures"; exit 1; }
