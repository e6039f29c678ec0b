// A problem.toml may come from anywhere: whatever it says, reading it ends in a problem or in an error; and a problem
// that was read has a shape, or an error, for the sizes of each of its cases.
#include "lab/problem/problem.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace warpwise::lab;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto problem = parse_problem({reinterpret_cast<const char*>(data), size}, "folder", "slug");
  if (!problem) return 0;
  (void)problem->signature();
  for (const CaseSpec& spec : problem->cases)
    for (bool largest : {false, true}) {
      Numbers sizes;
      for (const auto& [name, range] : spec.sizes) sizes[name] = largest ? range.high : range.low;
      auto shape = shape_of(*problem, spec, sizes);
      if (!shape) continue;
      for (const BudgetRule& rule : problem->budget) (void)evaluate(rule.limit, shape->names);
    }
  return 0;
}
