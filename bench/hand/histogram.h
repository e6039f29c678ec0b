// One atomic addition per lane.
#pragma once

#include <atomic>
#include <cstring>

#include "hand/warp.h"

namespace warpwise::bench {

// Blocks run on several host threads, so an atomic on global memory is a locked instruction.
inline void add_global(uint32_t& bin, uint32_t count) { __atomic_fetch_add(&bin, count, __ATOMIC_RELAXED); }

// Eight lanes' bytes at a time; count(byte) for each.
template <class Count>
inline void for_each_byte(const uint8_t* bytes, Count count) {
  for (int lane = 0; lane < kWarp; lane += 8) {
    uint64_t eight;
    std::memcpy(&eight, bytes + lane, sizeof eight);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) count(uint8_t(eight >> (8 * i)));
  }
}

}  // namespace warpwise::bench
