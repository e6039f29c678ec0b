#include "lab/judge/verdict.h"

#include <iterator>

namespace warpwise::lab {
namespace {

struct Row {
  std::string_view name, words, next;
};
constexpr Row kRows[] = {
#define VERDICT(enumerator, name, words, next) {name, words, next},
#include "lab/judge/verdicts.inc"
#undef VERDICT
};

}  // namespace

std::string_view name_of(Verdict verdict) { return kRows[size_t(verdict)].name; }
std::string_view words_of(Verdict verdict) { return kRows[size_t(verdict)].words; }
std::string_view next_step_of(Verdict verdict) { return kRows[size_t(verdict)].next; }

std::string_view next_step_for(std::string_view code, std::string_view role) {
  struct Step {
    std::string_view code, role, text;
  };
  static constexpr Step kSteps[] = {
#define FINDING_STEP(code, text) {code, "", text},
#define WAITING_STEP(role, text) {"C0407", role, text},
#include "lab/judge/next_steps.inc"
#undef WAITING_STEP
#undef FINDING_STEP
  };
  for (const Step& step : kSteps)
    if (step.code == code && (step.role.empty() || step.role == role)) return step.text;
  return "";
}

std::optional<Verdict> find_verdict(std::string_view name) {
  for (Verdict verdict : all_verdicts())
    if (name_of(verdict) == name) return verdict;
  return std::nullopt;
}

std::vector<Verdict> all_verdicts() {
  std::vector<Verdict> all;
  for (size_t i = 0; i < std::size(kRows); ++i) all.push_back(Verdict(i));
  return all;
}

}  // namespace warpwise::lab
