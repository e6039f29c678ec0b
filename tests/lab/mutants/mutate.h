// Mutants: right sources with one mistake each, as people make them. What a mutant changes is a range of the source, so
// that it can be shown as a line before and after.
//
//     for (const Mutant& m : mutants_of(source)) judge(m.source);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/mutants/tokens.h"

namespace warpwise::mutants {

enum class Operator : uint8_t {
#define OPERATOR(name, text, about) name,
#include "lab/mutants/operators.inc"
#undef OPERATOR
};
constexpr size_t kOperators = 0
#define OPERATOR(name, text, about) +1
#include "lab/mutants/operators.inc"
#undef OPERATOR
    ;

std::string_view name_of(Operator op);
std::string_view about(Operator op);

struct Mutant {
  Operator op = Operator::CompareBoundary;
  unsigned line = 0, column = 0;  // of the first changed token, from 1
  std::string before, after;      // the changed range
  std::string source;             // all of it
  bool in_kernel = false;         // the change is in a device function: host code stays as it is
};

// All mutants that the operators make of a source, in the order of their places. No two are the same text.
std::vector<Mutant> mutants_of(const std::string& source);

// The line that a mutant changes, before and after: "- …\n+ …\n". More than one where the change spans lines.
std::string difference(const std::string& original, const Mutant& mutant);

}  // namespace warpwise::mutants
