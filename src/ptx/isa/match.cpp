#include "ptx/isa/match.h"

#include <algorithm>

namespace warpwise::ptx {
namespace {

// A tied slot is filled exactly when its predecessor is.
bool tied_and_filled(const Spec& row, size_t slot, const Mods& mods) {
  return row.mods[slot].tied && slot > 0 && mods[slot - 1] != Mod::None;
}
bool may_skip(const Spec& row, size_t slot, const Mods& mods) {
  if (row.mods[slot].tied) return !tied_and_filled(row, slot, mods);
  return row.mods[slot].optional || row.mods[slot].rest;
}
bool may_fill(const Spec& row, size_t slot, const Mods& mods) {
  return !row.mods[slot].tied || tied_and_filled(row, slot, mods);
}

// In the written order, with backtracking over optional slots.
bool match_in_order(const Spec& row, std::span<const Mod> written, size_t slot, size_t at, Mods& mods) {
  if (slot == row.mods.size()) return at == written.size();
  if (row.mods[slot].rest) {
    if (written.size() - at > kMaxModifiers - slot) return false;
    std::copy(written.begin() + at, written.end(), mods.begin() + slot);
    return true;
  }
  if (at < written.size() && row.mods[slot].allows(written[at]) && may_fill(row, slot, mods)) {
    mods[slot] = written[at];
    if (match_in_order(row, written, slot + 1, at + 1, mods)) return true;
    mods[slot] = Mod::None;
  }
  return may_skip(row, slot, mods) && match_in_order(row, written, slot + 1, at, mods);
}

// In any order: each slot takes the first written modifier that fits, mandatory slots first. Types keep their order
// among themselves, because cvt.f32.f64 is not cvt.f64.f32, and so do layouts of matrices. `used` receives the
// modifiers that were placed. Returns the number of mandatory slots that stay empty.
size_t match_any_order(const Spec& row, std::span<const Mod> written, Mods& mods, std::vector<bool>& used,
                       int* missing) {
  used.assign(written.size(), false);
  auto fill = [&](size_t slot) {
    for (size_t i = 0; i < written.size(); ++i) {
      if (used[i]) continue;
      const bool ordered = (type_of(written[i]) != Type::None && row.mods[slot].cls == ModClass::Type) ||
                           (class_of(written[i]) == ModClass::Layout && row.mods[slot].cls == ModClass::Layout);
      if (!row.mods[slot].allows(written[i])) {
        if (ordered) return false;
        continue;
      }
      mods[slot] = written[i];
      used[i] = true;
      return true;
    }
    return false;
  };
  size_t empty = 0;
  for (size_t slot = 0; slot < row.mods.size(); ++slot) {
    if (row.mods[slot].optional || row.mods[slot].rest || fill(slot)) continue;
    if (missing && *missing < 0) *missing = static_cast<int>(slot);
    ++empty;
  }
  for (size_t slot = 0; slot < row.mods.size(); ++slot) {
    if (row.mods[slot].optional && may_fill(row, slot, mods)) fill(slot);
    if (row.mods[slot].rest) {
      size_t next = slot;
      for (size_t i = 0; i < written.size() && next < kMaxModifiers; ++i)
        if (!used[i]) mods[next++] = written[i], used[i] = true;
    }
    if (mods[slot] == Mod::None && !may_skip(row, slot, mods)) ++empty;
  }
  return empty;
}

}  // namespace

std::vector<Match> match_modifiers(std::string_view opcode, std::span<const Mod> written) {
  std::vector<Match> found;
  std::span<const Op> rows = ops_of(opcode);
  auto takes_anything = [](Op op) { return !spec_of(op).mods.empty() && spec_of(op).mods.back().rest; };
  auto in_order = [&](bool of_those_that_take_anything) {
    for (Op op : rows) {
      Match match{op, {}};
      if (takes_anything(op) == of_those_that_take_anything && match_in_order(spec_of(op), written, 0, 0, match.mods))
        found.push_back(match);
    }
  };
  in_order(false);
  if (found.empty()) {
    std::vector<bool> used;
    for (Op op : rows) {
      Match match{op, {}};
      if (takes_anything(op)) continue;
      size_t empty = match_any_order(spec_of(op), written, match.mods, used, nullptr);
      if (empty == 0 && std::find(used.begin(), used.end(), false) == used.end()) found.push_back(match);
    }
  }
  in_order(true);  // last: a more specific row is right about an instruction in any order
  return found;
}

Mismatch explain_mismatch(std::string_view opcode, std::span<const Mod> written) {
  Mismatch best;
  size_t best_cost = ~size_t{0};
  for (Op op : ops_of(opcode)) {
    Mismatch here{op};
    Mods mods{};
    std::vector<bool> used;
    size_t cost = match_any_order(spec_of(op), written, mods, used, &here.missing);
    for (size_t i = 0; i < written.size(); ++i) {
      if (used[i]) continue;
      if (here.unplaced < 0) here.unplaced = static_cast<int>(i);
      // A word that names the operation or its type says more about the intention than these do.
      ModClass cls = class_of(written[i]);
      cost += cls == ModClass::Flag || cls == ModClass::Rounding || cls == ModClass::Space ? 2 : 3;
    }
    if (!spec_of(op).mods.empty() && spec_of(op).mods.back().rest) cost += 4;  // accepts anything: no evidence
    cost += here.missing >= 0 && spec_of(op).mods[here.missing].cls == ModClass::Type ? 2 : 0;
    if (cost < best_cost) best = here, best_cost = cost;
  }
  return best;
}

}  // namespace warpwise::ptx
