// Two runs side by side: which kernels became faster or slower by the model, and what in them changed.
//
//     before ──┐
//              ├─ pair kernels by name, the rest in the order of their time ─► a time, the busy parts and the counters
//              of each
//     after  ──┘
//
// The parts of the GPU explain a time: each is busy for so many seconds, and the one whose seconds changed most is why.
// For CI there is a verdict: whether a time, or a counter that costs time, grew by more than a threshold.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perf/report/analysis.h"

namespace warpwise::perf {

// A figure that is not the same in both; of counters, those that people look at first.
struct Change {
  std::string name;  // "sectors a global load", "DRAM bytes"
  double before = 0, after = 0;
  enum class Unit : uint8_t { Count, Bytes, Seconds, Share } unit = Unit::Count;
  bool costs = true;  // more of it is worse

  double growth() const { return before > 0 ? after / before - 1 : after > 0 ? 1e9 : 0; }
};

struct KernelPair {
  const KernelReport* before = nullptr;  // null: there is none on that side
  const KernelReport* after = nullptr;
  std::vector<Change> parts;  // of the GPU: for how long each is busy; largest change first
  std::vector<Change> figures;

  double speedup() const { return before && after && after->seconds > 0 ? before->seconds / after->seconds : 0; }
};

struct Comparison {
  const Analysis* before = nullptr;
  const Analysis* after = nullptr;
  std::vector<KernelPair> kernels;  // most time of either side first
};

Comparison compare(const Analysis& before, const Analysis& after);

// Why the second is faster or slower, a sentence each: what limited it and limits it now, which part of the GPU gained
// most and by which figure, and which advice the second has taken.
std::vector<std::string> why(const KernelPair& pair);

std::string to_text(const Comparison& comparison, bool color);
std::string to_html(const Comparison& comparison);  // compare_html.cpp
nlohmann::json to_json(const Comparison& comparison);

// "2.70 times faster", "as fast"; "" where one side took no time.
std::string faster_words(double before, double after);
// A figure, and how it changed: "3.2 times less", "+12 %", "new".
std::string value_text(double value, Change::Unit unit);
std::string growth_text(const Change& change);

// What grew by more than `threshold` (0.1: a tenth), in words; nothing: `after` is no worse. Kernels are paired by
// name; one that `before` does not have is none.
std::vector<std::string> regressions(const Comparison& comparison, double threshold);

}  // namespace warpwise::perf
