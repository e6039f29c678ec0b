// The order in which ptxas is assumed to issue the instructions of a basic block.
//
// A multiprocessor issues the instructions of a warp in order. So ptxas places independent instructions between one
// instruction and those that wait for it: loads and the addresses that they need come early, and products of different
// accumulators alternate. This is list scheduling (Muchnick, Advanced Compiler Design and Implementation, 17.1): of the
// ready instructions, the one with the longest path to the end of the block; if none is ready, the one that will be
// first. Registers limit ptxas: an instruction moves up no further than a window of the text, and loads in flight hold
// only so many registers. Both limits are estimates.
//
// Dependences are those of registers and of memory. Nothing moves across a barrier. A load does not move across a store
// that may write what it reads; another state space, read-only data, and other bytes at the same base are known to be
// different. Convergent operations keep their order.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "perf/counters/instruction_class.h"
#include "ptx/module.h"

namespace warpwise::perf {

// Of instructions [first, end), which are a basic block or a part of one.
std::vector<uint32_t> issue_order(const ptx::Function& function, const std::vector<InstructionClass>& classes,
                                  uint32_t first, uint32_t end);

// Clocks, as device/architectures.inc has them for 9.0. They decide only which instruction comes first, and which part
// of a step a wait is.
double nominal_latency(Step step);

// And those of a load of global memory that hits L1, or comes from memory.
inline constexpr double kNominalL1 = 34, kNominalMemory = 263 + 473;

// Words of registers that a load writes; 0 for what is no load.
unsigned words_loaded(const ptx::Instruction& instruction);

// How many loads ptxas lets be under way at the same time, since their results have registers of their own. In loops
// that it unrolls ptxas of CUDA 13 for 9.0 has 16 to 20 under way that load a float for a sum, 10 or 14 in pairs for
// products, and up to 8 of vectors of four.
struct RoomForLoads {
  unsigned loads = 16, words = 32;
};
// In a basic block, or a part of one: what the program itself loads before it needs the first of it stays together.
RoomForLoads room_for_loads(const ptx::Function& function, uint32_t first, uint32_t end);

class LoadsUnderWay {
 public:
  explicit LoadsUnderWay(RoomForLoads room = {}) : room_(room) {}
  void set_room(RoomForLoads room) { room_ = room; }
  // From when on there is room for so many words more.
  double room(unsigned words, double now) const;
  void add(double there, unsigned words, double now);

 private:
  RoomForLoads room_;
  std::vector<std::pair<double, unsigned>> loads_;  // when they will be there, in order, and their words
};

}  // namespace warpwise::perf
