// The order in which ptxas is taken to issue a basic block's instructions.
//
// A multiprocessor issues a warp's instructions in order, so ptxas puts what is independent between an instruction and
// whoever waits for it: loads and the addresses that they need come early, the products of different accumulators take
// turns. This is list scheduling as compilers' textbooks have it (Muchnick, Advanced Compiler Design and
// Implementation, 17.1): of the instructions whose operands are there, the one with the longest way to the block's end;
// if none is ready, the one that will be first. What bounds ptxas is registers: an instruction goes no further ahead
// than a window of the text, and loads under way hold only so many registers. Both bounds are estimates.
//
// Dependences are those of registers and of memory: nothing passes a barrier, a load does not pass a store that may
// write what it reads (another state space, read-only data and the same base with other bytes are told apart), and
// operations at which a warp's lanes meet keep their order.
#pragma once

#include <cstdint>
#include <vector>

#include "perf/counters/instruction_class.h"
#include "ptx/module.h"

namespace warpwise::perf {

// Of instructions [first, end), which are a basic block or a part of one.
std::vector<uint32_t> issue_order(const ptx::Function& function, const std::vector<InstructionClass>& classes,
                                  uint32_t first, uint32_t end);

// Clocks, as device/architectures.inc has them for 9.0: which instruction comes first, and how far a wait is a step, is
// all that they decide.
double nominal_latency(Step step);

// Visits the registers of an operand, those of an address and of a vector included.
template <class Visit>
void for_each_register(const ptx::Operand& operand, Visit visit) {
  using Kind = ptx::Operand::Kind;
  if (operand.is(Kind::Register) || (operand.is(Kind::Address) && operand.base == ptx::Operand::Base::Register))
    visit(operand.reg);
  for (const ptx::Operand& element : operand.elements) for_each_register(element, visit);
}

}  // namespace warpwise::perf
