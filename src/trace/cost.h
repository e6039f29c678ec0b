// What the accesses of a step cost, by the rules by which `warpwise profile` prices them (perf/counters/access_cost.h).
//
// One difference: ptxas merges neighbouring loads of shared memory into wider ones, and the profile prices what comes
// out. Here each step has the price of its own instruction.
#pragma once

#include "trace/step.h"

namespace warpwise::trace {

struct Cost {
  uint64_t requests = 0;                          // memories that the step reached
  uint64_t sectors = 0, ideal_sectors = 0;        // global and local memory
  uint64_t wavefronts = 0, ideal_wavefronts = 0;  // shared memory
  uint64_t words = 0;                             // different words of constant memory, served one by one
  uint64_t bytes = 0;                             // different bytes that lanes name

  Cost& operator+=(const Cost& o);
};

Cost cost_of(const Site& site, const Access& access);
Cost cost_of(const Site& site, const Step& step);

}  // namespace warpwise::trace
