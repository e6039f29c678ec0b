#!/usr/bin/env bash
# Nothing includes upwards: each folder of src/ may include itself and what it stands on. The table is
# ARCHITECTURE.md's. Run by ctest; prints each offending line.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A stands_on=(
  [base]=""
  [database]="base"
  [numerics]=""
  [ptx]="base numerics"
  [device]="base"
  [simt]="base numerics ptx"
  [texture]="ptx device"
  [exec]="base numerics ptx device texture simt"
  [check]="base numerics ptx device simt exec"
  [perf]="base database numerics ptx device simt exec"
  [cuda]="base device"
  [toolchain]="base exec"  # exec only for the interface of the cache of machine code
  [api]="base numerics ptx device texture simt exec toolchain"
  [nvrtc]="base device exec toolchain api nvjitlink"
  [nvjitlink]="base ptx exec"
  [lab]="base database numerics ptx device texture simt exec check perf toolchain api"
  [cli]="base database numerics ptx device texture simt exec check perf toolchain api lab"
  [devicelib]=""
)
# The one place where the runtime meets the engine that stands behind its device; and those who read the lists of
# the CUDA libraries' functions and the form of fat binaries, which are data.
declare -A allowed=([src/cuda/runtime/device/open_device.cpp]="exec check perf toolchain api"
  [src/cli/support/cuda_functions.cpp]="cuda" [src/cli/support/device_code.cpp]="cuda"
  [src/nvjitlink/linker.cpp]="cuda")

bad=0
for folder in "${!stands_on[@]}"; do
  [ -d "src/$folder" ] || continue
  while IFS=: read -r file line include; do
    target=$(sed -E 's/.*"([a-z]+)\/.*/\1/' <<<"$include")
    [ -n "${stands_on[$target]+known}" ] || continue  # not a folder of ours
    case " $folder ${stands_on[$folder]} ${allowed[$file]:-} " in
      *" $target "*) ;;
      *) echo "$file:$line: $folder may not include $target: $include"; bad=1 ;;
    esac
  done < <(grep -rnE '^#include "[a-z]+/' "src/$folder" --include='*.h' --include='*.cpp' --include='*.inc' || true)
done
[ $bad -eq 0 ] && echo "no folder includes upwards"
exit $bad
