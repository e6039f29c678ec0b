// The 64 bits of an L2 cache policy, which `createpolicy` makes. In PTX only accesses with .L2::cache_hint use them.
// Host code makes the same bits (libcu++'s cuda::access_property) and may compare them. They do not affect what kernels
// read and write.
//
// A policy divides cache lines into primary lines and the others: by a share of all lines (createpolicy.fractional), or
// by a range of addresses, counted in blocks of a power of two bytes (createpolicy.range).
//
//             share                               range
//   60..59    2                                   3
//   58..57    the primary lines: 0 unchanged, 1 evict first, 2 evict last, 3 normal
//   56        the other lines: 0 unchanged, 1 evict first
//   55..52    sixteenths of all lines - 1         log2 of the bytes of a block - 12
//   50..44    0                                   the first primary block, modulo 128
//   43..37    0                                   the number of primary blocks
//
// Source: the layouts and formulas that CCCL 3 documents in libcudacxx, __annotated_ptr/access_property_encoding.h, and
// its test of them.
#pragma once

#include <cstdint>

#include "ptx/module.h"

namespace warpwise::ptx {

// The lowest bits of the fields: size (55..52), first block, number of blocks.
inline constexpr unsigned kPolicySize = 52, kPolicyFirst = 44, kPolicyCount = 37;
inline constexpr uint32_t kPolicyMostBlocks = 127;
inline constexpr unsigned kPolicyLeastBlockLog2 = 12;
// A range has up to 2^7 blocks. Ranges of up to 2^19 bytes have blocks of 4 KiB; each doubling of the range doubles
// them.
inline constexpr unsigned kPolicyRangeLog2 = 19;
// The size field of blocks of 2^25 bytes, for ranges of more than 2^31 bytes. Of the number of their primary blocks the
// low seven bits count, so that 128 are none: a 0 is what an H200 makes of 2^32 - 1 bytes at address 0.
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
