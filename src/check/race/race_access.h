// An access as the race checker knows it: which thread made it, when, and at which instruction.
//
// The access that is being checked has all of this from its event. An earlier one is read back from a number in a race
// cell (access_numbers.h).
#pragma once

#include <cstdint>

#include "check/race/race_clocks.h"
#include "check/race/race_numbers.h"
#include "simt/abi.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::check {

// Each has numbers of its own.
enum MemorySpace : unsigned { kGlobal, kShared };
constexpr unsigned kSpaces = 2;

struct RaceAccess {
  RaceNumbers::Number number = 0;
  Serial serial = 0;    // of the block
  uint32_t clock = 0;   // of the warp (race_clocks.h)
  uint32_t thread = 0;  // linear index in the block
  uint32_t site = 0;    // index into AccessSites; 0: not known
  bool strong = false, atomic = false, block_scope = false;
  bool observes = false;  // an atomic that returns what was there
  bool writes = false;

  unsigned warp() const { return thread / simt::kLanes; }
  const char* role() const { return atomic ? "atomic" : writes ? "write" : "read"; }
  // What a write cell keeps of it.
  RaceNumbers::Number as_writer() const { return number | (atomic && !block_scope ? simt::kMarked : 0); }
};

}  // namespace warpwise::check
