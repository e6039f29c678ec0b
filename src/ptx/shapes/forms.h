// Instructions generated from the table: the forms that a row allows, as text. The coverage tests, the check against
// ptxas and the generator of random programs use them, so no list of forms is kept by hand.
//
// Every combination of a row's types appears, and every other modifier at least once. A form may still break a rule
// that patterns do not express (`cvt.sat.s32.s16`); the verifier reports it.
#pragma once

#include <string>
#include <vector>

#include "ptx/isa/isa.h"

namespace warpwise::ptx {

struct Form {
  Op op{};
  std::string text;  // "fma.rn.f32 %f1, %f2, %f3, %f4;"
};

// Empty for rows whose operands the table leaves open (`...`, `:any`).
std::vector<Form> forms_of(Op op);

// A module with one kernel around `body`, with declarations of everything that forms name.
std::string module_around(std::string_view body, unsigned ptx_version, std::string_view target);

}  // namespace warpwise::ptx
