// The 64 bits of an L2 cache policy, which `createpolicy` makes. In PTX only accesses with .L2::cache_hint use them.
// Host code makes the same bits (libcu++'s cuda::access_property) and may compare them. They do not affect what kernels
// read and write.
//
//   60..59  what the others mean: 2 of a share of all lines, 3 of a range of addresses
//   58..57  what happens to the primary lines: 0 unchanged, 1 evict first, 2 evict last, 3 normal
//   56      what happens to the others: 0 unchanged, 1 evict first
//   55..52  of a share: its sixteenths - 1;  of a range: log2 of its blocks' size in bytes - 12
//   50..44  of a range: its first block;  43..37  how many blocks
//
// Source: the layouts and formulas that CCCL 3 documents in libcudacxx, __annotated_ptr/access_property_encoding.h, and
// its test of them.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpwise::ptx {

inline constexpr unsigned kPolicySize = 52, kPolicyFirst = 44, kPolicyCount = 37;
inline constexpr uint32_t kPolicyMostBlocks = 127;
inline constexpr unsigned kPolicyLeastBlockLog2 = 12;
// A range has up to 2^7 blocks: of 4 KiB for ranges of up to 2^19 bytes.
inline constexpr unsigned kPolicyRangeLog2 = 19;
// For ranges with blocks of 2^25 bytes (of more than 2^31 bytes) PTX makes 1 block where there are too many.
inline constexpr uint32_t kPolicySizeThatWraps = 13;

enum class PolicyKind : uint64_t { Share = 2, Range = 3 };

// Bits 60 to 56, from the modifiers of a createpolicy instruction.
constexpr uint64_t policy_choices(const Instruction& instruction, PolicyKind kind) {
  uint64_t found[2] = {0, 0};
  unsigned count = 0;
  for (Mod mod : instruction.mods) {
    if (mod != Mod::L2EvictUnchanged && mod != Mod::L2EvictFirst && mod != Mod::L2EvictLast &&
        mod != Mod::L2EvictNormal)
      continue;
    found[count++] = mod == Mod::L2EvictFirst ? 1 : mod == Mod::L2EvictLast ? 2 : mod == Mod::L2EvictNormal ? 3 : 0;
    if (count == 2) break;
  }
  return uint64_t(kind) << 59 | found[0] << 57 | found[1] << 56;
}

}  // namespace warpwise::ptx
