#!/bin/sh
# Downloads the four MNIST files (11 MB) into a folder and checks them.
#
#     projects/mnist/data/fetch.sh FOLDER
#
# Without a network nothing is lost: `mnist train --data=synthetic` draws digits of its own, and files brought by other
# means are taken as they are (train-images-idx3-ubyte.gz and so on; plain or packed).
set -u
folder=${1:?usage: fetch.sh FOLDER}
mirrors="https://ossci-datasets.s3.amazonaws.com/mnist https://storage.googleapis.com/cvdf-datasets/mnist"
mkdir -p "$folder" && cd "$folder" || exit 1

failed=
while read -r sum file; do
  if echo "$sum  $file" | md5sum -c --status 2> /dev/null; then echo "$file: there already"; continue; fi
  for mirror in $mirrors; do
    curl -fsSL --retry 2 -o "$file.part" "$mirror/$file" || { rm -f "$file.part"; continue; }
    if echo "$sum  $file.part" | md5sum -c --status; then mv "$file.part" "$file"; echo "$file: fetched"; continue 2; fi
    echo "$file: what $mirror sent has the wrong checksum" >&2
    rm -f "$file.part"
  done
  echo "$file: could not be fetched" >&2
  failed=1
done << 'LIST'
f68b3c2dcbeaaa9fbdd348bbdeb94873  train-images-idx3-ubyte.gz
d53e105ee54ea40749a09fcbcd1e9432  train-labels-idx1-ubyte.gz
9fb629c4189551a2d022fa330f9573f3  t10k-images-idx3-ubyte.gz
ec29112dd5afa0611ce80d1b7f02629c  t10k-labels-idx1-ubyte.gz
LIST
[ -z "$failed" ] && exit 0
echo "no network? Copy the files into $folder from elsewhere, or train with --data=synthetic" >&2
exit 1
