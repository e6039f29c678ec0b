#include "perf/counters/predication.h"

#include <algorithm>
#include <set>

#include "perf/counters/issue_order.h"
#include "perf/counters/operands.h"
#include "perf/counters/sass_forms.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {

using ptx::Instruction;

namespace {

// The most instructions that become predicated: "7, if the compiler determines that the condition is likely to produce
// many divergent warps" (CUDA C Programming Guide 4.2, 5.4.2; later editions give no number). ptxas for 9.0 does it to
// the five of a reduction's step.
constexpr unsigned kMostPredicated = 7;
// And the most that a load's address takes: ptxas 13 for 9.0 lets all lanes calculate it and makes the load predicated
// (kernels/sgemm/03_squares, of whose 16 loads in a turn eight are under way together).
constexpr unsigned kMostOfAddresses = 16;

// Whether all lanes may do it, also those that do not need the result.
bool is_integer_arithmetic(const Instruction& i) { return i.spec().unit == ptx::Unit::Alu; }

}  // namespace

Predication::Predication(const ptx::Function& function, const std::vector<uint32_t>& starts,
                         const std::vector<InstructionClass>& classes)
    : function_(function), starts_(starts), classes_(classes), branches_to_(function.instructions.size() + 1, 0) {
  const auto note = [&](const ptx::Label& label) {
    if (label.instruction < branches_to_.size()) ++branches_to_[label.instruction];
  };
  for (const Instruction& i : function.instructions)
    for (const ptx::Operand& operand : i.operands) {
      if (!operand.is(ptx::Operand::Kind::Symbol) || operand.symbol.kind != ptx::SymbolRef::Kind::Label) continue;
      const ptx::Label& label = function.labels[operand.symbol.index];
      if (label.targets.empty()) note(label);
      for (const ptx::SymbolRef& target : label.targets) note(function.labels[target.index]);
    }
}

std::optional<uint32_t> Predication::branch_around(uint32_t first) const {
  const uint32_t end = end_of(starts_, first);
  if (first == 0 || end >= starts_.size()) return std::nullopt;
  uint32_t branch = first - 1;
  const auto at = [&](uint32_t n) -> const Instruction& { return function_.instructions[n]; };
  if (at(branch).guard.present) {
    if (target_of_branch(function_, at(branch)) != end || branches_to(first) > 0) return std::nullopt;
  } else {
    // A branch of its own behind the one with the guard: one of them goes to the block, the other around it.
    const uint32_t other = branch;
    if (other == 0 || starts_[other] != other || branches_to(other) > 0 || branches_to(first) != 1) return std::nullopt;
    branch = other - 1;
    if (!at(branch).guard.present) return std::nullopt;
    const size_t one = target_of_branch(function_, at(branch)), another = target_of_branch(function_, at(other));
    if (!(one == first && another == end) && !(one == end && another == first)) return std::nullopt;
  }
  uint32_t load = first;  // behind the last one
  for (uint32_t n = first; n < end; ++n)
    if (words_loaded(at(n)) > 0) load = n + 1;
  unsigned length = 0, of_addresses = 0;
  for (uint32_t n = first; n < end; ++n) {
    const SassForm* form = classes_[n].form;
    const bool of_address = n < load && is_integer_arithmetic(at(n));
    if ((form && !of_address) || (form && form->branches > 0) || classes_[n].step == Step::Barrier ||
        simt::ends_block(at(n)) || at(n).spec().opcode == "call")
      return std::nullopt;
    if (!classes_[n].counted || classes_[n].times == 0) continue;
    if (of_address)
      of_addresses += form ? form->instructions() : 1;
    else
      ++length;
  }
  return length <= kMostPredicated && of_addresses <= kMostOfAddresses ? std::optional(branch) : std::nullopt;
}

namespace {

// Whether one of the instructions waits for what another one loads.
bool waits_for_own_load(const ptx::Function& function, uint32_t first, uint32_t end) {
  std::set<ptx::RegisterId> loaded;
  bool waits = false;
  for (uint32_t n = first; n < end; ++n) {
    const Instruction& i = function.instructions[n];
    for_each_register_read(i, [&](ptx::RegisterId reg) { waits |= loaded.contains(reg); });
    if (words_loaded(i) > 0) for_each_result(i, [&](ptx::RegisterId reg) { loaded.insert(reg); });
  }
  return waits;
}

}  // namespace

std::vector<uint32_t> joined_starts(const ptx::Function& function, const std::vector<uint32_t>& starts,
                                    const std::vector<InstructionClass>& classes, const std::vector<double>& times) {
  std::vector<uint32_t> joined(starts);
  const Predication predication(function, starts, classes);
  uint32_t behind = 0;  // the block behind a predicated one, if it is joined to it
  for (uint32_t block = 0; block < starts.size(); block = end_of(starts, block)) {
    const uint32_t end = end_of(starts, block);
    if (block > 0 && block == behind) std::fill(joined.begin() + block, joined.begin() + end, joined[block - 1]);
    const std::optional<uint32_t> branch = predication.branch_around(block);
    if (!branch) continue;
    const double before = times[starts[*branch]];
    if (before <= 0 || times[block] < before / 2 || waits_for_own_load(function, block, end)) continue;
    std::fill(joined.begin() + *branch + 1, joined.begin() + end, joined[*branch]);
    if (predication.branches_to(end) == 1) behind = end;
  }
  return joined;
}

ptx::Function with_guards(const ptx::Function& function, const std::vector<uint32_t>& starts,
                          const std::vector<InstructionClass>& classes, const std::vector<uint32_t>& joined) {
  ptx::Function result = function;
  const Predication predication(function, starts, classes);
  for (uint32_t block = 0, end; block < starts.size(); block = end) {
    end = end_of(starts, block);
    const std::optional<uint32_t> branch = predication.branch_around(block);
    if (!branch || joined[block] == block) continue;
    for (uint32_t i = block; i < end; ++i)
      if (!result.instructions[i].guard.present) result.instructions[i].guard = function.instructions[*branch].guard;
  }
  return result;
}

}  // namespace warpwise::perf
