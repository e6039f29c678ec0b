// How long a warp that runs alone waits, from the dependences of its instructions (LatencyProfile).
//
// A multiprocessor issues the instructions of a warp in order: an instruction whose operands are not ready delays all
// that follow. So each basic block is simulated once with nominal latencies. An instruction is issued a clock after the
// one before, or when its operands are ready, and the wait is attributed to the instruction that caused it. A wait as
// long as the latency of a global load is one step of the chain; half as long, half a step. The order is that of ptxas,
// as far as it is known (issue_order.h). What a warp does while loads are under way is hidden once, however long they
// take: of two loads that a hundred clocks of arithmetic separate, a warp waits for little when they hit L1, and for
// nearly all of it when they come from memory. So all is simulated three times, with the latencies of the three. How
// often each block ran is counted. A block that loops to itself is simulated twice: the first time counts for each
// entry, since it waits for what is under way when the loop begins, and the second for all other turns, since an
// iteration waits for what the previous one has left in flight. Where ptxas unrolls it (turns_at_once), the turns that
// become one are simulated together, and their loads overlap; what is left over at the end are turns as they stand.
// Otherwise state passes from block to block in the order of the text, past blocks that seldom run (preceding_blocks).
// Blocks that predication joins are one here (predication.h).
#pragma once

#include <map>
#include <vector>

#include "perf/counters/instruction_class.h"
#include "perf/counters/launch_counts.h"

namespace warpwise::device {
struct Machine;
}

namespace warpwise::perf {

// Clocks that a warp waits for results of a fixed latency, at branches and between instructions. A step is the latency
// less the clock in which the instruction is issued.
double fixed_wait(const ChainSteps& steps, const device::Machine& machine);

// A wait for loads: they were under way together, and the slowest decides.
struct LoadWait {
  std::vector<uint32_t> loads;  // instructions of the function; none: not known
  double steps = 0;             // of ChainSteps::global
  double in_flight = 1;         // loads under way
};

// Of one execution of a block.
struct BlockChain {
  ChainSteps steps;
  double in_l1 = 0, from_memory = 0;  // steps.global if all global loads hit L1, or came from memory
  double waits = 0;                   // clocks waited for global loads ...
  double in_flight = 0;               // ... times the loads in flight
  double issued = 0;                  // instructions of SASS
  std::vector<LoadWait> load_waits;
};

// Adds so many executions.
void add(BlockChain& to, const BlockChain& chain, double times);

// Of a block that loops to itself.
struct LoopChains {
  BlockChain single_turn;              // where it is unrolled, of a turn that is one of those left over
  BlockChain at_entry;                 // what the first turn waits beyond another, or, negative, does not wait
  BlockChain at_entry_of_single_turn;  // the same where no turns become one
};

// The block that runs before each: the nearest one above it in the text that runs at least half as often as it is come
// to from above (a loop, as often as what follows it). What is waited for on a path that is hardly taken still has to
// be waited for on the one beside it. Both by the instruction that begins a block (simt::block_starts); `times`: how
// often it ran. kNoBlock for a block that did not run, and kBegins for one that nothing comes before.
inline constexpr uint32_t kNoBlock = ~0u, kBegins = ~0u - 1;
std::vector<uint32_t> preceding_blocks(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                       const std::vector<double>& times);

// Of the blocks that ran, by the instruction that begins them.
struct Chains {
  std::map<uint32_t, BlockChain> blocks;
  std::map<uint32_t, LoopChains> loops;
};
// `starts`: those of block_starts, or of joined_starts.
Chains chains_of(const ptx::Function& function, const std::vector<uint32_t>& starts,
                 const std::vector<InstructionClass>& classes, const std::vector<uint32_t>& preceding);

// Whether the instruction reads %clock, %globaltimer or one of their halves.
bool reads_clock(const ptx::Instruction& instruction);

// For the %clock of a kernel (simt/instrument/modelled_clocks.h): the clocks that pass before each instruction on a
// warp that runs alone. The instrumentation adds them at the end of each block and before each instruction that reads
// the clock: the longer of the issue time and the waiting time since. Caches are not known here: a global load takes as
// long as one that hits L2. With `at_barriers` they are added before barriers, too.
std::vector<uint32_t> clocks_before(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                    const device::Machine& machine, bool at_barriers = false);

}  // namespace warpwise::perf
