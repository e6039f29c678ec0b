// What the services of mbarriers share between the modes.
#pragma once

#include "exec/async/mbarrier.h"
#include "exec/services/service_call.h"
#include "numerics/wgmma.h"

namespace warpwise::exec {

// The word of the mbarrier at a generic address. A fault where there is none: outside the cluster's shared memory,
// misaligned, or never initialised.
uint64_t& mbarrier_at(BlockRun& run, uint64_t address, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc,
                      bool must_be = true);

// Whether a phase has ended, at once or after others have run; `thread.site` and `pc` say who asks.
bool wait_at_mbarrier(FiberThread& thread, uint32_t lane, uint64_t address, uint64_t phase, bool is_parity);

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
