// What a warp goes through one after the other: the outermost loops of a kernel, and the code before, between and
// behind them.
//
//     for (i …) sum += x[i];          a phase that loads
//     for (i …) y[i] = x[i] * scale;  another, which stores, too
//
// Where all blocks of a grid run at once, they come to each phase at about the same time. So each phase takes as long
// as the part of the GPU that is busiest in it, and no stores of one fill the time of another's loads.
#pragma once

#include <cstdint>
#include <vector>

#include "perf/counters/launch_counts.h"
#include "ptx/module.h"

namespace warpwise::perf {

class KernelFacts;
template <class Number>
struct CellSums;

struct Phase {
  uint32_t first = 0, end = 0;  // its instructions
  std::vector<uint32_t> back;   // of a loop: the branches to its begin
};

// Of all instructions of the function, in the order of the text.
std::vector<Phase> phases_of(const ptx::Function& function);

// The counts of each phase that counts, in order. None: there are fewer than two of these, warps take different ones
// (as those of a block that have roles do), or not all of the work is in the kernel's own function. `warps`: of the
// launch.
std::vector<Counts> counts_of_phases(const KernelFacts& facts, const CellSums<double>& sums, double warps);

}  // namespace warpwise::perf
