// In which order the lanes of a warp store. Where several store to one place in one instruction, the last one's value
// stays, and programs depend on it without knowing: a reduction whose lanes all store what lane 0 alone has right.
//
// The order is that of an H200. It stores for 32 lanes at once what has up to 4 bytes, for 16 lanes 8 bytes, for 8
// lanes 16 bytes, the lower lanes first; of the lanes that it stores for at once the lowest wins. (Measured for global
// and shared memory, with all and with some lanes at one place.)
#pragma once

#include <algorithm>
#include <cstdint>

#include "simt/abi.h"

namespace warpwise::simt {

// For how many lanes, of so many bytes each: all elements of a vector access.
constexpr unsigned stored_at_once(unsigned bytes) {
  constexpr unsigned kBytesAtOnce = 128, kMostBytes = 16;
  return kBytesAtOnce / std::clamp(bytes, kBytesAtOnce / kLanes, kMostBytes);
}

// Of the lanes that store, the one with the least rank comes first.
constexpr unsigned storing_rank(unsigned lane, unsigned at_once) { return lane ^ (at_once - 1); }

// Calls body(lane) for each lane in the mask, in this order.
template <class Body>
void each_storing_lane(uint32_t mask, unsigned at_once, const Body& body) {
  for (unsigned rank = 0; rank < kLanes; ++rank)
    if (const unsigned lane = storing_rank(rank, at_once); mask >> lane & 1) body(lane);
}

}  // namespace warpwise::simt
