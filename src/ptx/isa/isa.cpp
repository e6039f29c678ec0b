// The parsed table. Only this file parses patterns; all other code includes isa.h.
#include "ptx/isa/isa.h"

#include <algorithm>
#include <unordered_map>

#include "ptx/isa/pattern.h"

namespace warpwise::ptx {
namespace {

#define INST(name, text, state, unit, version, sm, alternatives)                                                      \
  constexpr pattern::Draft kDraft_##name = pattern::parse(text, alternatives);                                        \
  constexpr auto kRow_##name =                                                                                        \
      pattern::freeze<kDraft_##name.mod_count, kDraft_##name.pool_count, kDraft_##name.operand_count>(kDraft_##name); \
  constexpr auto kSlots_##name = pattern::slots_of<kRow_##name>();
#include "ptx/isa/instructions.inc"
#undef INST

constexpr Spec kSpecs[] = {
#define INST(name, text, state, unit, version, sm, alternatives) \
  {#name,                                                        \
   text,                                                         \
   kRow_##name.opcode,                                           \
   State::state,                                                 \
   Unit::unit,                                                   \
   version,                                                      \
   sm,                                                           \
   alternatives,                                                 \
   {kSlots_##name},                                              \
   std::span<const OperandSlot>(kRow_##name.operands.data(), kRow_##name.operands.size())},
#include "ptx/isa/instructions.inc"
#undef INST
};

constexpr SpecialRegisterInfo kSpecialRegisters[] = {
    {},
#define SPECIAL_REGISTER(id, name, type, components, version, sm) \
  {SpecialRegister::id, name, Type::type, components, version, sm},
#include "ptx/isa/special_registers.inc"
#undef SPECIAL_REGISTER
};

static_assert(static_cast<unsigned>(kLastTypeMod) == static_cast<unsigned>(kLastType));
#define TYPE(id, name, bits, kind) static_assert(static_cast<unsigned>(Mod::id) == static_cast<unsigned>(Type::id));
WARPWISE_PTX_TYPES(TYPE)
#undef TYPE

// Opcode to rows. Built at first use; the rows of an opcode need not be neighbours in the table.
const std::unordered_map<std::string_view, std::vector<Op>>& rows_by_opcode() {
  static const auto map = [] {
    std::unordered_map<std::string_view, std::vector<Op>> rows;
    for (unsigned i = 0; i < std::size(kSpecs); ++i) rows[kSpecs[i].opcode].push_back(static_cast<Op>(i));
    return rows;
  }();
  return map;
}

}  // namespace

const Spec& spec_of(Op op) { return kSpecs[static_cast<unsigned>(op)]; }
std::span<const Spec> all_specs() { return kSpecs; }
std::string_view text_of(Mod mod) { return pattern::kMods[static_cast<unsigned>(mod)].text; }
ModClass class_of(Mod mod) { return pattern::kMods[static_cast<unsigned>(mod)].cls; }
Mod find_mod(std::string_view text) { return text.empty() ? Mod::None : pattern::kModIndex.find(text); }

Space space_of(Mod mod) {
  switch (mod) {
    case Mod::Const:
      return Space::Const;
    case Mod::Global:
      return Space::Global;
    case Mod::Local:
      return Space::Local;
    case Mod::Param:
    case Mod::ParamEntry:
    case Mod::ParamFunc:
      return Space::Param;
    case Mod::Shared:
    case Mod::SharedCta:
    case Mod::SharedCluster:
      return Space::Shared;
    default:
      return Space::Generic;
  }
}

bool ModSlot::allows(Mod mod) const { return std::find(allowed.begin(), allowed.end(), mod) != allowed.end(); }

int Spec::slot(std::string_view wanted) const {
  for (size_t i = 0; i < mods.size(); ++i)
    if (mods[i].name == wanted) return static_cast<int>(i);
  return -1;
}

std::span<const Op> ops_of(std::string_view opcode) {
  auto found = rows_by_opcode().find(opcode);
  if (found == rows_by_opcode().end()) return {};
  return found->second;
}

std::vector<std::string_view> all_opcodes() {
  std::vector<std::string_view> out;
  for (const auto& [opcode, rows] : rows_by_opcode()) out.push_back(opcode);
  std::sort(out.begin(), out.end());
  return out;
}

const SpecialRegisterInfo& info_of(SpecialRegister special) {
  return kSpecialRegisters[static_cast<unsigned>(special)];
}

SpecialRegister find_special_register(std::string_view name) {
  static const auto map = [] {
    std::unordered_map<std::string_view, SpecialRegister> out;
    for (const SpecialRegisterInfo& info : kSpecialRegisters)
      if (!info.name.empty()) out[info.name] = info.id;
    return out;
  }();
  auto found = map.find(name);
  return found == map.end() ? SpecialRegister::None : found->second;
}

}  // namespace warpwise::ptx
