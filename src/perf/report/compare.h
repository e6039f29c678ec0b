// Two runs side by side: which kernels became faster or slower by the model, and what in them changed.
//
//     before ──┐
//              ├─ pair kernels by name, the rest in the order of their time ──► times, busy parts, counters
//     after  ──┘
//
// Times have ranges. Where the ranges of two times overlap, the model cannot tell which is faster, and the report says
// so. The parts of the GPU explain a time: each is busy for so many seconds, and the one whose seconds changed most is
// the reason.
//
// For CI there is a verdict (regressions): whether a modelled time, or a counter that costs time, grew by more than a
// threshold. It does not ask the ranges: one program under one model gives the same time in every run, so a small
// growth is a change of the program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "perf/report/analysis.h"
#include "perf/report/provenance.h"

namespace warpwise::perf {

// A figure that is not the same in both.
struct Change {
  std::string name;  // "sectors per global load", "DRAM traffic"
  double before = 0, after = 0;
  enum class Unit : uint8_t { Count, Bytes, Seconds, Share } unit = Unit::Count;
  bool costs = true;  // more of it is worse
  bool felt = true;   // the change shows in what limits a kernel: reports draw attention only to such changes

  double growth() const { return before > 0 ? after / before - 1 : after > 0 ? 1e9 : 0; }
};

// What the model can say of two times. Same: within a hundredth. Unclear: their ranges overlap.
enum class Difference : uint8_t { Unknown, Same, Unclear, Faster, Slower };
Difference difference_of(const TimeRange& before, const TimeRange& after);

struct KernelPair {
  const KernelReport* before = nullptr;  // null: there is none on that side
  const KernelReport* after = nullptr;
  std::vector<Change> parts;  // of the GPU: for how long each is busy; largest change first
  std::vector<Change> figures;

  Difference difference() const;
  double speedup() const { return before && after && after->seconds > 0 ? before->seconds / after->seconds : 0; }
};

struct Comparison {
  const Analysis* before = nullptr;
  const Analysis* after = nullptr;
  std::vector<KernelPair> kernels;  // most time of either side first
};

Comparison compare(const Analysis& before, const Analysis& after);

// Why the second is faster or slower, a sentence each: what limited it and limits it now, which part of the GPU changed
// most and by which figure, and which advice the second has taken.
std::vector<std::string> why(const KernelPair& pair);

std::string to_text(const Comparison& comparison, bool color);
std::string to_html(const Comparison& comparison, const Provenance& provenance);  // compare_html.cpp
nlohmann::json to_json(const Comparison& comparison);

std::string_view key_of(Difference difference);  // "unclear", for JSON
// "2.70 times faster", "as fast", "no difference that the model can tell (…)"; "" of Unknown: one side took no time.
std::string difference_words(const TimeRange& before, const TimeRange& after);
// "35.5 µs (30.2 to 40.8)"
std::string range_text(const TimeRange& time);
// A figure, and how it changed: "3.2 times less", "+12 %", "new".
std::string value_text(double value, Change::Unit unit);
std::string growth_text(const Change& change);

// What grew by more than `threshold` (0.1: a tenth), in words; empty: `after` is no worse. Only kernels with the same
// name are compared.
std::vector<std::string> regressions(const Comparison& comparison, double threshold);

}  // namespace warpwise::perf
