#include "check/report/rule_examples.h"

namespace warpwise::check::report {
namespace {

constexpr RuleExample kExamples[] = {
#define EXAMPLE(code, wrong, right) {code, wrong, right},
#include "check/report/rule_examples.inc"
#undef EXAMPLE
};

}  // namespace

const RuleExample* find_example(std::string_view code) {
  for (const RuleExample& example : kExamples)
    if (example.code == code) return &example;
  return nullptr;
}

}  // namespace warpwise::check::report
