// The parser of the table's patterns, run by the compiler. A row with a misspelt modifier, an unused placeholder or a
// malformed operand does not compile; the error names the function below that states the reason. (Those functions are
// declared and not constexpr: reaching one ends constant evaluation.)
//
//   "fma.rnd{.ftz}{.sat}.f32 d, a, b, c" with ".rnd = .rn .rz .rm .rp"
//     modifiers: rnd {rn rz rm rp}, [ftz], [sat], f32      operands: d a b c
//
// A Draft has room for the longest row; freeze() keeps what a row needs.
//
// A compiler interprets this, call by call, for some 500 rows: plain loops over pointers and __builtin_memcmp take it
// half the time that the members of std::string_view take.
#pragma once

#include <array>
#include <string_view>

#include "ptx/isa/isa.h"

namespace warpwise::ptx::pattern {

void unknown_modifier_in_pattern();
void unknown_type_of_operand_in_pattern();
void malformed_operand_in_pattern();
void malformed_alternatives_in_pattern();
void placeholder_is_not_used_in_pattern();
void pattern_is_too_long();

struct ModRow {
  std::string_view text;
  ModClass cls;
};

inline constexpr ModRow kMods[] = {
    {"", ModClass::Other},
#define MOD(id, text, cls) {text, ModClass::cls},
#include "ptx/isa/modifiers.inc"
#undef MOD
};
inline constexpr unsigned kModCount = sizeof kMods / sizeof *kMods;

constexpr uint32_t hash_of(std::string_view text) {  // FNV-1a
  uint32_t hash = 2166136261u;
  for (const char *at = text.data(), *end = at + text.size(); at != end; ++at)
    hash = (hash ^ static_cast<unsigned char>(*at)) * 16777619u;
  return hash;
}

constexpr bool same(std::string_view a, std::string_view b) {
  return a.size() == b.size() && __builtin_memcmp(a.data(), b.data(), a.size()) == 0;
}

// Text to Mod: open addressing, filled once by the compiler.
struct ModIndex {
  static constexpr unsigned kSize = 2048;
  std::array<uint16_t, kSize> slots{};

  constexpr ModIndex() {
    for (unsigned i = 1; i < kModCount; ++i) {
      unsigned at = hash_of(kMods[i].text) % kSize;
      while (slots[at] != 0) at = (at + 1) % kSize;
      slots[at] = static_cast<uint16_t>(i);
    }
  }
  constexpr Mod find(std::string_view text) const {
    for (unsigned at = hash_of(text) % kSize; slots[at] != 0; at = (at + 1) % kSize)
      if (same(kMods[slots[at]].text, text)) return static_cast<Mod>(slots[at]);
    return Mod::None;
  }
};
inline constexpr ModIndex kModIndex;

struct DraftSlot {
  std::string_view name;
  uint16_t first = 0, count = 0;  // its modifiers, in the pool
  ModClass cls = ModClass::Other;
  bool optional = false, tied = false, rest = false;
};

struct Draft {
  std::string_view opcode;
  std::array<DraftSlot, kMaxModifiers> mods{};
  std::array<Mod, 96> pool{};
  std::array<OperandSlot, 10> operands{};
  unsigned mod_count = 0, pool_count = 0, operand_count = 0;
};

// Characters of words, by their code.
struct WordCharacters {
  bool is[256]{};

  constexpr WordCharacters() {
    for (char c = 'a'; c <= 'z'; ++c) is[static_cast<unsigned char>(c)] = true;
    for (char c = 'A'; c <= 'Z'; ++c) is[static_cast<unsigned char>(c)] = true;
    for (char c = '0'; c <= '9'; ++c) is[static_cast<unsigned char>(c)] = true;
    is['_'] = is[':'] = true;
  }
};
inline constexpr WordCharacters kWords;

// Walks a text from left to right.
struct Cursor {
  std::string_view rest;

  constexpr bool done() const { return rest.empty(); }
  constexpr bool take(std::string_view text) {
    if (rest.size() < text.size() || __builtin_memcmp(rest.data(), text.data(), text.size()) != 0) return false;
    rest.remove_prefix(text.size());
    return true;
  }
  constexpr std::string_view word(bool colons) {
    const char *begin = rest.data(), *end = begin + rest.size(), *at = begin;
    while (at != end && kWords.is[static_cast<unsigned char>(*at)] && (colons || *at != ':')) ++at;
    rest = {at, static_cast<size_t>(end - at)};
    return {begin, static_cast<size_t>(at - begin)};
  }
  // To the next set of alternatives; false where there is none.
  constexpr bool next_set() {
    while (take(" ") || take(";")) {
    }
    return !done();
  }
  // To the end of a set of alternatives.
  constexpr void skip_set() {
    const char *at = rest.data(), *end = at + rest.size();
    while (at != end && *at != ';') ++at;
    rest = {at, static_cast<size_t>(end - at)};
  }
};

constexpr ModClass class_of_slot(std::string_view name, Mod first) {
  ModClass cls = kMods[static_cast<unsigned>(first)].cls;
  if (same(name, "cmp")) return ModClass::Compare;
  if (same(name, "boolop")) return ModClass::BoolOp;
  if (same(name, "mode")) return ModClass::Mode;
  if ((same(name, "op") || same(name, "op2")) && cls == ModClass::BoolOp) return ModClass::AtomicOp;
  return cls;
}

// Finds `name` among ".rnd = .rn .rz; .type = .u32" and appends its set to the pool. Other sets are passed over: each
// is read for the placeholder that it belongs to, and one that belongs to none is an error.
constexpr bool expand_placeholder(Draft& draft, std::string_view name, std::string_view alternatives) {
  Cursor at{alternatives};
  while (at.next_set()) {
    if (!at.take(".")) malformed_alternatives_in_pattern();
    bool wanted = same(at.word(true), name);
    if (!wanted) {
      at.skip_set();
      continue;
    }
    if (!at.take(" = ")) malformed_alternatives_in_pattern();
    while (at.take(".")) {
      Mod mod = kModIndex.find(at.word(true));
      if (mod == Mod::None) unknown_modifier_in_pattern();
      if (draft.pool_count == draft.pool.size()) pattern_is_too_long();
      draft.pool[draft.pool_count++] = mod;
      at.take(" ");
    }
    if (!at.done() && !at.rest.starts_with(';')) malformed_alternatives_in_pattern();
    return true;
  }
  return false;
}

constexpr void parse_modifier(Draft& draft, Cursor& at, std::string_view alternatives, bool optional, bool tied) {
  if (draft.mod_count == kMaxModifiers) pattern_is_too_long();
  DraftSlot& slot = draft.mods[draft.mod_count++];
  slot.optional = optional;
  slot.tied = tied;
  slot.first = static_cast<uint16_t>(draft.pool_count);
  if (at.take("*")) {
    slot.name = "*";
    slot.rest = true;
    return;
  }
  slot.name = at.word(true);
  if (!expand_placeholder(draft, slot.name, alternatives)) {
    Mod mod = kModIndex.find(slot.name);
    if (mod == Mod::None) unknown_modifier_in_pattern();
    draft.pool[draft.pool_count++] = mod;
  }
  slot.count = static_cast<uint16_t>(draft.pool_count - slot.first);
  slot.cls = class_of_slot(slot.name, draft.pool[slot.first]);
}

constexpr Type find_type_in_pattern(std::string_view text) {
  Mod mod = kModIndex.find(text);
  if (mod == Mod::None || mod > kLastTypeMod) unknown_type_of_operand_in_pattern();
  return static_cast<Type>(mod);
}

constexpr void parse_operand_type(OperandSlot& slot, std::string_view text) {
  if (same(text, "imm"))
    slot.rule = TypeRule::Constant;
  else if (same(text, "any"))
    slot.rule = TypeRule::Any;
  else if (same(text, "wide"))
    slot.rule = TypeRule::Wide;
  else if (same(text, "mem"))
    slot.rule = TypeRule::Memory, slot.wider = true;
  else if (same(text, "mov"))
    slot.rule = TypeRule::Mov;
  else if (same(text, "addr"))
    slot.rule = TypeRule::Address;
  else if (same(text, "four"))
    slot.rule = TypeRule::Four, slot.index = 1;
  else if (same(text, "label"))
    slot.form = OperandForm::Label;
  else if (same(text, "targets"))
    slot.form = OperandForm::Targets;
  else if (same(text, "func"))
    slot.form = OperandForm::Callee;
  else if (same(text, "proto"))
    slot.form = OperandForm::Prototype;
  else if (text.size() == 2 && text[0] == 't')
    slot.index = static_cast<uint8_t>(text[1] - '0');
  else
    slot.rule = TypeRule::Fixed, slot.type = find_type_in_pattern(text);
}

constexpr void parse_operand(Draft& draft, Cursor& at, bool optional) {
  if (draft.operand_count == draft.operands.size()) pattern_is_too_long();
  OperandSlot& slot = draft.operands[draft.operand_count++];
  slot.optional = optional;
  slot.negatable = at.take("{!}");
  slot.minus = at.take("{-}");
  if (at.take("...")) {
    slot.name = "...";
    slot.form = OperandForm::Rest;
    return;
  }
  if (at.take("[")) slot.form = OperandForm::Address;
  if (at.take("(")) slot.form = OperandForm::List;
  slot.name = at.word(false);
  if (slot.name.empty()) malformed_operand_in_pattern();
  if (slot.form == OperandForm::Address && !at.take("]")) malformed_operand_in_pattern();
  if (slot.form == OperandForm::List && !at.take(")")) malformed_operand_in_pattern();
  slot.selector = at.take(".sel");
  if (at.take("{|")) {
    slot.pair = slot.pair_optional = true;
    at.word(false);
    if (!at.take("}")) malformed_operand_in_pattern();
  } else if (at.take("|")) {
    slot.pair = true;
    at.word(false);
  }
  if (same(slot.name, "p") || same(slot.name, "q")) slot.rule = TypeRule::Fixed, slot.type = Type::Pred;
  if (at.take(":")) parse_operand_type(slot, at.word(false));
  slot.wider = slot.wider || at.take("+");
  slot.written =
      slot.form == OperandForm::Value && (same(slot.name, "d") || (same(slot.name, "p") && draft.operand_count == 1));
  if (at.take("@")) {
    std::string_view with = at.word(true);
    for (unsigned i = 0; i < draft.mod_count; ++i)
      if (same(draft.mods[i].name, with)) slot.only_with = static_cast<int8_t>(i);
    if (slot.only_with < 0) malformed_operand_in_pattern();
  }
}

constexpr void check_placeholders_are_used(const Draft& draft, std::string_view alternatives) {
  Cursor at{alternatives};
  while (at.next_set()) {
    at.take(".");
    std::string_view name = at.word(true);
    bool used = at.done();
    for (unsigned i = 0; i < draft.mod_count; ++i) used = used || same(draft.mods[i].name, name);
    if (!used) placeholder_is_not_used_in_pattern();
    at.skip_set();
  }
}

constexpr Draft parse(std::string_view text, std::string_view alternatives) {
  Draft draft;
  Cursor at{text};
  draft.opcode = at.word(false);
  while (!at.done() && !at.take(" ")) {
    if (at.take("{")) {
      for (bool first = true; at.take("."); first = false) parse_modifier(draft, at, alternatives, true, !first);
      if (!at.take("}")) malformed_operand_in_pattern();
    } else if (at.take(".")) {
      parse_modifier(draft, at, alternatives, false, false);
    } else {
      malformed_operand_in_pattern();
    }
  }
  for (bool first = true; !at.done(); first = false) {
    bool optional = at.take(first ? "{ " : "{, ");
    if (!first && !optional && !at.take(", ")) malformed_operand_in_pattern();
    parse_operand(draft, at, optional);
    if (optional && !at.take("}")) malformed_operand_in_pattern();
  }
  check_placeholders_are_used(draft, alternatives);
  return draft;
}

// A row's parsed pattern at its own size. Slots refer to the pool by position until a Spec is made.
template <unsigned Mods, unsigned Pool, unsigned Operands>
struct Row {
  std::string_view opcode;
  std::array<Mod, Pool> pool{};
  std::array<DraftSlot, Mods> mods{};
  std::array<OperandSlot, Operands> operands{};
};

template <unsigned Mods, unsigned Pool, unsigned Operands>
constexpr Row<Mods, Pool, Operands> freeze(const Draft& draft) {
  Row<Mods, Pool, Operands> row;
  row.opcode = draft.opcode;
  for (unsigned i = 0; i < Mods; ++i) row.mods[i] = draft.mods[i];
  for (unsigned i = 0; i < Pool; ++i) row.pool[i] = draft.pool[i];
  for (unsigned i = 0; i < Operands; ++i) row.operands[i] = draft.operands[i];
  return row;
}

// The slots of a row as ModSlot, with spans into the row's pool, which has static storage.
template <const auto& row>
constexpr auto slots_of() {
  std::array<ModSlot, row.mods.size()> out{};
  for (size_t i = 0; i < out.size(); ++i) {
    const DraftSlot& d = row.mods[i];
    out[i] = {d.name, std::span<const Mod>(row.pool.data() + d.first, d.count), d.cls, d.optional, d.tied, d.rest};
  }
  return out;
}

}  // namespace warpwise::ptx::pattern
