#include "perf/advice/rules.h"

#include <algorithm>

namespace warpwise::perf {
namespace {

constexpr AdviceInfo kInfo[] = {
#define RULE(function, key, title) {key, title},
#define PROGRAM_RULE RULE
#include "perf/advice/rules.inc"
#undef RULE
#undef PROGRAM_RULE
};

const AdviceInfo* info_of(std::string_view key) {
  return std::find_if(std::begin(kInfo), std::end(kInfo), [&](const AdviceInfo& info) { return info.key == key; });
}

void sort(std::vector<Advice>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const Advice& a, const Advice& b) { return a.saved_seconds > b.saved_seconds; });
}

template <class Rule, class Seen>
void ask(std::vector<Advice>& list, std::string_view key, Rule rule, const Seen& seen) {
  std::optional<Advice> advice = rule(seen);
  if (!advice) return;
  advice->info = info_of(key);
  list.push_back(std::move(*advice));
}

}  // namespace

std::span<const AdviceInfo> all_advice() { return kInfo; }

std::vector<Advice> advise(const Situation& s) {
  std::vector<Advice> list;
#define RULE(function, key, title) ask(list, key, rules::function, s);
#define PROGRAM_RULE(function, key, title)
#include "perf/advice/rules.inc"
#undef RULE
#undef PROGRAM_RULE
  sort(list);
  return list;
}

std::vector<Advice> advise_program(const ProgramSituation& s) {
  std::vector<Advice> list;
#define RULE(function, key, title)
#define PROGRAM_RULE(function, key, title) ask(list, key, rules::function, s);
#include "perf/advice/rules.inc"
#undef RULE
#undef PROGRAM_RULE
  sort(list);
  return list;
}

namespace rules {

std::optional<Advice> worth(const Situation& s, double seconds_then, std::string evidence, std::string remedy,
                            std::optional<SourceFrame> place) {
  double now = s.prediction.seconds, saved = now - seconds_then;
  if (saved < kWorthwhile * now) return std::nullopt;
  return Advice{
      nullptr,         std::move(evidence), std::move(remedy), saved, seconds_then > 0 ? now / seconds_then : 1,
      std::move(place)};
}

std::optional<Advice> worth(const Situation& s, const Outcome& outcome, std::string evidence, std::string remedy,
                            std::optional<SourceFrame> place) {
  auto advice = worth(s, outcome.seconds, std::move(evidence), std::move(remedy), std::move(place));
  if (advice) advice->then = outcome.launch;
  return advice;
}

std::optional<SourceFrame> place_of(const LineCounts* line) {
  if (!line || line->frames.empty()) return std::nullopt;
  return line->frames.front();
}

}  // namespace rules
}  // namespace warpwise::perf
