// Budgets: what a kernel may do at most, or must do at least, according to problem.toml, and what was measured.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwise::lab {

enum class Counter : uint8_t {
#define COUNTER(enumerator, name, words, kind) enumerator,
#include "lab/judge/counters.inc"
#undef COUNTER
};
constexpr size_t kCounters = 0
#define COUNTER(enumerator, name, words, kind) +1
#include "lab/judge/counters.inc"
#undef COUNTER
    ;

std::string_view name_of(Counter counter);   // "global_reads_per_thread"
std::string_view words_of(Counter counter);  // "global reads of one thread"
bool is_read(Counter counter);               // of global or shared memory
std::optional<Counter> find_counter(std::string_view name);

// A line of [budget].
struct BudgetRule {
  Counter counter = Counter::GlobalReads;
  bool least = false;  // at least so much, instead of at most
  std::string limit;   // an expression
};

// What was measured, by Counter. For PerThread counters, the thread that did the most is known.
struct Measured {
  std::array<uint64_t, kCounters> value{};
  std::array<uint64_t, kCounters> block{}, thread{};  // linear; meaningful for PerThread
  uint64_t operator[](Counter counter) const { return value[size_t(counter)]; }
};

// A rule with the measured count.
struct BudgetLine {
  Counter counter = Counter::GlobalReads;
  bool least = false;
  uint64_t used = 0, limit = 0;
  bool kept() const { return least ? used >= limit : used <= limit; }
};

}  // namespace warpwise::lab
