// For each rule of base/rules.inc a program that breaks it and one that keeps it, a few lines each, for `warpwise
// explain`.
#pragma once

#include <string_view>

namespace warpwise::check::report {

struct RuleExample {
  std::string_view code, wrong, right;
};
const RuleExample* find_example(std::string_view code);

}  // namespace warpwise::check::report
