// Cells of the race checker: for each word of device memory its last writer and its last reader, at fixed distances
// from the engine's view. Compiled code compares and updates them beside its accesses
// (instrument/vectorise_race_checks.cpp), and reports an event where it cannot decide. src/check/race/race_numbers.h
// says which thread, when and at which instruction a cell names. The design resembles FastTrack's epochs (Flanagan and
// Freund, 2009).
//
//     0x0a00'0000'0000  write cells
//     0x0e00'0000'0000  read cells
//     0x6000'0000'0000  the engine's view
//
// A cell is a number. Numbers grow with time, so that most questions are a comparison or two:
//
//     first of an epoch + site * 2 * threads + 2 * thread + mark
//
// An epoch lasts from one barrier of the block's warps to the next, or for a warp alone until it orders something by
// itself. `threads` is the number of the block's threads, rounded up to a power of two. The mark of a writer says that
// it was an atomic which is visible to all threads. That of a reader says that others have read the word, too. Shared
// memory has numbers of its own.
#pragma once

#include <bit>
#include <cstdint>

#include "simt/instrument/shadow.h"

namespace warpwise::simt {

constexpr uint64_t kWriteCellDistance = uint64_t{0x5600} << 32;  // the engine's view minus this
constexpr uint64_t kReadCellDistance = uint64_t{0x5200} << 32;

// What is stored for a word, as the engine's view minus this: the word itself, its shadow, the cells of its writer and
// its reader.
constexpr uint64_t kShadowDistances[] = {0, kShadowDistance, kWriteCellDistance, kReadCellDistance};

// A word whose bytes have cells elsewhere, because it is accessed in parts. No number is as large.
constexpr uint32_t kSplitCell = ~uint32_t{0};
constexpr uint32_t kMarked = 1;

// Numbers of one site in one epoch.
constexpr uint32_t numbers_of_site(uint32_t threads) { return 2 * std::bit_ceil(threads < 32 ? 32u : threads); }

// The current numbers of a block. The checker fills it.
struct RaceEpochs {
  uint32_t quick = 0;  // accesses may be compared here and now
  // Nothing but barriers orders accesses: readers that nothing has ordered with this one may be joined.
  uint32_t barriers_only = 0;
  uint32_t sums = 0;  // ... and atomics may be compared
  struct Space {
    uint32_t launch = 0;  // what is below is over
    uint32_t own = 0;     // from here on `own_count` numbers are the block's own
    uint32_t own_count = 0;
    uint32_t ordered = 0;   // those below are over for all of the block
    uint32_t touched = 0;   // a number has been used since the last barrier of the warps
    uint32_t compares = 0;  // code may compare cells; else it may only note accesses of memory that is known to be free
                            // of races, since another host thread may use the same cells
    uint32_t now[32] = {};  // by warp: the first number of its epoch; 0: only the checker knows
  } spaces[2];              // global, shared
};

}  // namespace warpwise::simt
