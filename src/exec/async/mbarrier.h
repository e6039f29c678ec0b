// The 64 bits of an mbarrier, and what each instruction does to them (PTX ISA 9.7.13.15).
//
// An mbarrier counts arrivals and bytes; when neither is missing any more, its phase ends and the next
// one begins with a fresh count of arrivals. The manual leaves the layout open; ours:
//
//     63     62 61   60 .. 40       39 .. 20   19 .. 0
//     phase  mark    bytes (signed) expected   pending
//
// The mark is 01 in an object that was initialised: all zeros, all ones and most other data are recognised as no
// mbarrier. A state, which mbarrier.arrive returns, is the word as it was before the arrival.
//
// All blocks that can reach an mbarrier run on one host thread, so nothing here is atomic.
#pragma once

#include <cstdint>
#include <string>

#include "simt/abi.h"

namespace warpwise::exec {

constexpr uint32_t kMbarrierMaxCount = simt::kMbarrierPendingMask;  // PTX ISA 9.7.13.15.3

struct Mbarrier {
  uint32_t pending = 0;   // arrivals that are missing in this phase
  uint32_t expected = 0;  // arrivals of the next phase
  int32_t bytes = 0;      // that are missing; below 0 when they arrived before they were expected
  bool phase = false;     // parity of the current phase: the first one is 0

  static bool is_one(uint64_t word);
  static Mbarrier of(uint64_t word);
  uint64_t word() const;
};

struct MbarrierResult {
  uint64_t state = 0;        // what mbarrier.arrive returns
  bool phase_ended = false;  // threads that wait may go on
  std::string error;         // why this is a mistake of the program; empty: it is none
};

// Does `op` to the mbarrier in `word`.
MbarrierResult apply(simt::MbarrierOp op, uint64_t& word, uint32_t count);

// mbarrier.test_wait: whether the phase that `phase` names, by a state or by its parity, has ended.
bool has_ended(uint64_t word, uint64_t phase, bool is_parity);

// For reports: "phase 1 (odd): 2 of 32 arrivals and 4096 bytes are missing".
std::string describe_mbarrier(uint64_t word);

}  // namespace warpwise::exec
