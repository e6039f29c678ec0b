// What the services of mbarriers share between the two modes.
#pragma once

#include "exec/async/mbarrier.h"
#include "exec/services/service_call.h"
#include "numerics/wgmma.h"

namespace warpwise::exec {

// The word of the mbarrier at a generic address. A fault where there is none: outside the cluster's shared memory,
// misaligned, or never initialised.
uint64_t& mbarrier_at(BlockRun& run, uint64_t address, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc,
                      bool must_be = true);

// One warp's share of wgmma; why it cannot be done, or nothing.
struct WgmmaCall {
  uint32_t warp;
  uint64_t form, a, b;
  bool accumulate;
  const uint32_t* a_words;
  uint32_t* d;
};
std::string run_wgmma(const BlockRun& run, const WgmmaCall& call);

}  // namespace warpwise::exec
