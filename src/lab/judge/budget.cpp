#include "lab/judge/budget.h"

namespace warpwise::lab {
namespace {

struct Row {
  std::string_view name, words;
};
constexpr Row kRows[] = {
#define COUNTER(enumerator, name, words, kind) {name, words},
#include "lab/judge/counters.inc"
#undef COUNTER
};

}  // namespace

std::string_view name_of(Counter counter) { return kRows[size_t(counter)].name; }
std::string_view words_of(Counter counter) { return kRows[size_t(counter)].words; }

bool is_read(Counter counter) {
  return counter == Counter::GlobalReads || counter == Counter::SharedReads || counter == Counter::GlobalReadsTotal ||
         counter == Counter::SharedReadsTotal;
}

std::optional<Counter> find_counter(std::string_view name) {
  for (size_t i = 0; i < kCounters; ++i)
    if (kRows[i].name == name) return Counter(i);
  return std::nullopt;
}

}  // namespace warpwise::lab
