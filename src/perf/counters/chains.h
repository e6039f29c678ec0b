// How long a warp that runs alone waits, from the dependences of its instructions (LatencyProfile).
//
// A multiprocessor issues a warp's instructions in order; one whose operands are not there yet holds up all behind it.
// So each basic block is played through once with nominal latencies: an instruction is issued a clock after the one
// before, or when its operands are ready, and what it waited for is booked to whoever made it wait. A wait as long as a
// global load's latency is one step of the chain; half as long, half a step. The order is ptxas's, as far as it is
// known (issue_order.h). How often blocks ran is counted. A block that loops to itself is played twice, and the second
// time counts: what one turn leaves under way the next one waits for. Otherwise state passes from block to block as
// they stand in the text.
#pragma once

#include <vector>

#include "perf/counters/instruction_class.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::device {
struct Machine;
}

namespace warpwise::perf {

// Of one execution of a block.
struct BlockChain {
  ChainSteps steps;
  double waits = 0;      // clocks waited for global loads ...
  double in_flight = 0;  // ... times the loads that were under way
};

// For each instruction that begins a block (simt::block_starts), its chain; nothing for the others.
std::vector<BlockChain> chains_of(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                  const std::vector<InstructionClass>& classes);

// Whether the instruction reads %clock, %globaltimer or one of their halves.
bool reads_clock(const ptx::Instruction& instruction);

// For a kernel's %clock (simt/instrument/modelled_clocks.h): the clocks that pass before each instruction on a warp
// that runs alone. They are told at the end of each block, and before each instruction that reads the clock: the longer
// of what was issued and of what was waited for since. Nothing is known of caches: a global load takes as long as one
// that L2 answers.
std::vector<uint32_t> clocks_before(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                    const device::Machine& machine);

}  // namespace warpwise::perf
