#include "perf/counters/block_waits.h"

#include <algorithm>
#include <set>

#include "perf/counters/operands.h"
#include "simt/instrument/counts.h"

namespace warpwise::perf {
namespace {

using ptx::Instruction;
using ptx::Operand;

// A load of what others store meanwhile.
bool is_strong_load(const Instruction& i) {
  const std::string_view row = i.spec().name;
  if (row != "ld_volatile" && row != "ld_sem" && row != "ld_mmio") return false;
  const auto counted = simt::counted_operand(i);
  return counted &&
         (counted->access.space == simt::CountedSpace::Global || counted->access.space == simt::CountedSpace::Generic);
}

// Registers whose values come from one of the loads.
std::set<ptx::RegisterId> made_of(const ptx::Function& function, const std::vector<uint32_t>& loads) {
  std::set<ptx::RegisterId> made;
  const auto note_results = [&](const Instruction& i) {
    bool more = false;
    for_each_result(i, [&](ptx::RegisterId reg) { more = made.insert(reg).second || more; });
    return more;
  };
  for (uint32_t load : loads) note_results(function.instructions[load]);
  for (bool more = true; more;) {
    more = false;
    for (const Instruction& i : function.instructions) {
      if (simt::counted_operand(i)) continue;  // memory keeps no track
      bool reads = false;
      for_each_register_read(i, [&](ptx::RegisterId reg) { reads = reads || made.contains(reg); });
      if (reads) more = note_results(i) || more;
    }
  }
  return made;
}

// Whether the instruction lets other blocks see a value of those registers.
bool passes_on(const Instruction& i, const std::set<ptx::RegisterId>& made) {
  const std::string_view row = i.spec().name, opcode = i.spec().opcode;
  if (row != "st_volatile" && row != "st_sem" && row != "st_mmio" && opcode != "atom" && opcode != "red") return false;
  bool passes = false;
  for (const Operand& operand : i.operands)
    if (!operand.is(Operand::Kind::Address))
      for_each_register(operand, [&](ptx::RegisterId reg) { passes = passes || made.contains(reg); });
  return passes;
}

}  // namespace

std::vector<WaitLoop> wait_loops(const ptx::Function& function) {
  const std::vector<Instruction>& all = function.instructions;
  if (std::none_of(all.begin(), all.end(), is_strong_load)) return {};
  std::vector<WaitLoop> loops;
  for (uint32_t i = 0; i < all.size(); ++i)
    if (const size_t target = target_of_branch(function, all[i]); target <= i)
      loops.push_back({uint32_t(target), i, {}});
  std::stable_sort(loops.begin(), loops.end(),
                   [](const WaitLoop& a, const WaitLoop& b) { return a.last - a.first < b.last - b.first; });
  std::set<uint32_t> known;
  std::vector<WaitLoop> waits;
  for (WaitLoop& loop : loops) {
    for (uint32_t i = loop.first; i <= loop.last; ++i)
      if (is_strong_load(all[i]) && !known.contains(i)) loop.loads.push_back(i);
    if (loop.loads.empty()) continue;
    const std::set<ptx::RegisterId> made = made_of(function, loop.loads);
    if (std::none_of(all.begin(), all.end(), [&](const Instruction& i) { return passes_on(i, made); })) continue;
    for (uint32_t i = loop.first; i <= loop.last; ++i) {
      const size_t target = target_of_branch(function, all[i]);
      const bool leaves = target < loop.first || target > loop.last || target <= i;
      if (all[i].spec().opcode != "bra" || !leaves || !all[i].guard.present || !made.contains(all[i].guard.reg))
        continue;
      known.insert(loop.loads.begin(), loop.loads.end());
      waits.push_back(std::move(loop));
      break;
    }
  }
  return waits;
}

}  // namespace warpwise::perf
