// Finds the rows of the table that accept an opcode with its written modifiers.
//
// The manual gives an order of modifiers. ptxas accepts any order (`add.f32.rn`, `atom.add.acquire.gpu`), and libcu++
// and CUTLASS rely on that. Therefore rows that accept the written order come first, then those that accept another
// order, and last those that accept anything. The result is stored in the row's order.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "ptx/isa/isa.h"

namespace warpwise::ptx {

using Mods = std::array<Mod, kMaxModifiers>;

struct Match {
  Op op{};
  Mods mods{};
};

std::vector<Match> match_modifiers(std::string_view opcode, std::span<const Mod> written);

// Why no row of an opcode accepts the modifiers: the nearest row, and either a modifier that has no place in it or a
// slot that stays empty.
struct Mismatch {
  Op nearest{};
  int unplaced = -1;  // index into `written`
  int missing = -1;   // index into the row's slots
};
Mismatch explain_mismatch(std::string_view opcode, std::span<const Mod> written);

}  // namespace warpwise::ptx
