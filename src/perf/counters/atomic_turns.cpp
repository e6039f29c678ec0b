#include "perf/counters/atomic_turns.h"

#include <algorithm>
#include <map>
#include <vector>

#include "perf/counters/operands.h"

namespace warpwise::perf {
namespace {

bool differs(const ptx::Operand& operand) {
  using ptx::SpecialRegister;
  if (!operand.is(ptx::Operand::Kind::Special)) return false;
  switch (operand.special) {
    case SpecialRegister::Tid:
    case SpecialRegister::LaneId:
    case SpecialRegister::LanemaskEq:
    case SpecialRegister::LanemaskLe:
    case SpecialRegister::LanemaskLt:
    case SpecialRegister::LanemaskGe:
    case SpecialRegister::LanemaskGt:
      return true;
    default:
      return false;
  }
}

// Whether the result differs between lanes whatever the operands are.
bool makes_different(const ptx::Instruction& i) {
  const std::string_view opcode = i.spec().opcode;
  if (opcode == "ld" || opcode == "ldu")
    return !std::any_of(i.mods.begin(), i.mods.end(), [](ptx::Mod mod) {
      const ptx::Space space = ptx::space_of(mod);
      return space == ptx::Space::Param || space == ptx::Space::Const;
    });
  for (const char* other : {"atom", "shfl", "match", "activemask", "call", "tex", "tld4", "suld", "elect"})
    if (opcode == other) return true;
  return false;
}

bool combines(const ptx::Instruction& i) {
  const std::string_view row = i.spec().name;
  return row.ends_with("_add_int") || row.ends_with("_min_max") || row == "atom_logic" || row == "red_logic";
}

bool adds_one(const ptx::Instruction& i) {
  const std::string_view row = i.spec().name;
  const uint64_t added = row.ends_with("_add_int") ? 1 : row.ends_with("_inc_dec") ? 0xffffffff : 0;
  if (added == 0 || i.has(ptx::Mod::Dec)) return false;
  return std::any_of(i.operands.begin(), i.operands.end(), [&](const ptx::Operand& operand) {
    return operand.is(ptx::Operand::Kind::Immediate) && uint32_t(operand.bits) == uint32_t(added);
  });
}

// By ptxas 13 for sm_90. Minima and maxima of 64 bits look first whether there is anything to change: mostly not.
SharedAtomic in_shared(const ptx::Instruction& i, bool floating, bool old_is_read) {
  const std::string_view row = i.spec().name;
  const bool wide = row.ends_with("_f64") || ptx::bytes_of(i.type()) > 4;
  if (row == "atom_cas") return SharedAtomic::Swaps;
  if (row == "atom_exch") return SharedAtomic::Lanes;
  if (wide && row.ends_with("_min_max")) return SharedAtomic::Words;
  if (wide) return SharedAtomic::Spins64;
  if (floating) return SharedAtomic::Spins;
  return !old_is_read && adds_one(i) ? SharedAtomic::Words : SharedAtomic::Lanes;
}

}  // namespace

std::set<ptx::RegisterId> varying_registers(const ptx::Function& function) {
  // From what varies by itself to all that is calculated from it: each instruction is visited once.
  std::map<ptx::RegisterId, std::vector<const ptx::Instruction*>> readers;
  std::vector<const ptx::Instruction*> open;
  for (const ptx::Instruction& i : function.instructions) {
    bool varies = makes_different(i);
    auto note = [&](ptx::RegisterId reg) { readers[reg].push_back(&i); };
    if (i.guard.present) note(i.guard.reg);
    for (size_t n = 0; n < i.operands.size(); ++n) {
      if (is_result(i, n)) continue;
      varies = varies || differs(i.operands[n]);
      for_each_register(i.operands[n], note);
    }
    if (varies) open.push_back(&i);
  }
  std::set<ptx::RegisterId> varying;
  while (!open.empty()) {
    const ptx::Instruction& i = *open.back();
    open.pop_back();
    for_each_result(i, [&](ptx::RegisterId reg) {
      if (varying.insert(reg).second) open.insert(open.end(), readers[reg].begin(), readers[reg].end());
    });
  }
  return varying;
}

std::vector<LookedAt> swaps_after_looks(const ptx::Function& function) {
  // A pointer may have been moved or taken to another address space since it was loaded.
  std::map<ptx::RegisterId, ptx::RegisterId> copy_of;
  for (const ptx::Instruction& i : function.instructions) {
    const std::string_view row = i.spec().name;
    if ((row == "mov" || row == "cvta" || row == "cvta_to") && i.operands[1].is(ptx::Operand::Kind::Register))
      copy_of[i.operands[0].reg] = i.operands[1].reg;
  }
  auto place = [&](const ptx::Operand& address) {
    ptx::RegisterId reg = address.reg;
    for (size_t step = 0; step < copy_of.size() && copy_of.contains(reg); ++step) reg = copy_of[reg];
    return std::pair(reg, address.offset);
  };
  auto by_register = [](const ptx::Operand& operand) {
    return operand.is(ptx::Operand::Kind::Address) && operand.base == ptx::Operand::Base::Register;
  };
  std::vector<LookedAt> found;
  std::map<std::pair<ptx::RegisterId, int64_t>, uint32_t> looks;
  for (uint32_t n = 0; n < function.instructions.size(); ++n) {
    const ptx::Instruction& i = function.instructions[n];
    if (i.spec().opcode != "ld" && i.spec().name != "atom_cas") continue;
    if (i.operands.size() < 2 || !by_register(i.operands[1])) continue;
    if (i.spec().opcode == "ld")
      looks[place(i.operands[1])] = n;
    else if (const auto look = looks.find(place(i.operands[1])); look != looks.end())
      found.push_back({look->second, n});
  }
  return found;
}

AtomicTurns turns_of_atomic(const ptx::Instruction& i, const std::set<ptx::RegisterId>& varying, bool old_is_read) {
  AtomicTurns turns;
  const std::string_view row = i.spec().name;
  const bool floating =
      row.find("_add_f") != row.npos || row.find("_add_bf") != row.npos || row.find("_vec_") != row.npos;
  const bool doubles = row.ends_with("_f64");
  if (floating) turns.again = 10;
  turns.more = row == "atom_cas" || doubles ? 4 : 0;
  bool same_address = combines(i);
  for (const ptx::Operand& operand : i.operands)
    if (operand.is(ptx::Operand::Kind::Address))
      for_each_register(operand, [&](ptx::RegisterId reg) { same_address = same_address && !varying.contains(reg); });
  turns.combined = same_address;
  turns.shared = in_shared(i, floating, old_is_read);
  return turns;
}

}  // namespace warpwise::perf
