#include "perf/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "perf/report/format.h"
#include "perf/report/limited_by.h"

namespace warpwise::perf {
namespace {

using enum Counter;
using Unit = Change::Unit;

// Times and figures within a hundredth are the same.
constexpr double kSame = 0.01;
constexpr size_t kMostParts = 3, kMostFigures = 8;

double busy_seconds(const KernelReport& k, Resource r) {
  return k.predicted ? k.prediction.of(r) * k.prediction.seconds * double(k.launches) : 0;
}

std::vector<Change> parts_of(const KernelReport& before, const KernelReport& after) {
  std::vector<Change> parts;
  for (unsigned i = 0; i < kResources; ++i) {
    const auto r = static_cast<Resource>(i);
    Change change{std::string(info_of(r).name), busy_seconds(before, r), busy_seconds(after, r), Unit::Seconds};
    if (std::max(change.before, change.after) > 0.05 * std::max(before.seconds, after.seconds) &&
        std::abs(change.growth()) > kSame)
      parts.push_back(std::move(change));
  }
  std::stable_sort(parts.begin(), parts.end(), [](const Change& a, const Change& b) {
    return std::abs(a.after - a.before) > std::abs(b.after - b.before);
  });
  if (parts.size() > kMostParts) parts.resize(kMostParts);
  return parts;
}

// Names of figures, in the words of Nsight Compute.
constexpr const char *kLoadSectors = "sectors per global load", *kStoreSectors = "sectors per global store",
                     *kLoads = "global load requests", *kStores = "global store requests", *kDram = "DRAM traffic",
                     *kWavefronts = "shared-memory wavefronts", *kConflicts = "shared-memory bank conflicts",
                     *kInstructions = "warp instructions", *kBarriers = "barriers",
                     *kAtomics = "threads in global atomics", *kDivergent = "divergent branches",
                     *kActive = "active threads per warp", *kLocal = "local memory requests",
                     *kRegisters = "registers per thread", *kSharedBytes = "shared memory per block",
                     *kOccupancy = "occupancy", *kLaunches = "launches";

// The figures that say how much a part of the GPU had to do.
std::vector<std::string_view> figures_behind(std::string_view part) {
  struct Row {
    Resource part;
    std::vector<std::string_view> figures;
  };
  static const Row kRows[] = {
      {Resource::Issue, {kInstructions}},
      {Resource::L1, {kLoadSectors, kStoreSectors, kLoads, kStores, kLocal}},
      {Resource::L2Port, {kLoadSectors, kStoreSectors, kLoads, kStores}},
      {Resource::L2, {kLoadSectors, kStoreSectors, kLoads, kStores}},
      {Resource::Dram, {kDram}},
      {Resource::Shared, {kConflicts, kWavefronts}},
      {Resource::Atomics, {kAtomics}},
      {Resource::Barriers, {kBarriers}},
  };
  for (const Row& row : kRows)
    if (info_of(row.part).name == part) return row.figures;
  return {};
}

// Threads of a warp that work on average: what divergence costs.
double active_threads(const KernelReport& k) { return ratio(k.launch.totals, ThreadInstructions, Instructions); }

// Branches may diverge and cost nothing: the guard at the end of an array makes one warp of a thousand diverge for an
// instruction or two.
bool divergence_costs(const KernelReport& before, const KernelReport& after) {
  constexpr double kLost = 0.02;
  return active_threads(after) < (1 - kLost) * active_threads(before);
}

// Whether a figure's change shows in a part of the GPU that matters, or in how many warps an SM holds.
bool felt(const Change& figure, const KernelPair& p) {
  const bool grew = figure.after > figure.before;
  for (const Change& part : p.parts) {
    if ((part.after > part.before) != grew) continue;
    for (std::string_view name : figures_behind(part.name))
      if (name == figure.name) return true;
  }
  if (figure.name == kRegisters || figure.name == kSharedBytes) {
    const double change = p.before->predicted && p.after->predicted
                              ? p.after->prediction.occupancy.fraction - p.before->prediction.occupancy.fraction
                              : 0;
    return grew ? change < 0 : change > 0;
  }
  if (figure.name == kDivergent) return grew ? figure.costs : divergence_costs(*p.after, *p.before);
  return figure.name == kLaunches || figure.name == kActive;
}

// The figures that explain a kernel, as quotients where the amount of work may differ.
std::vector<Change> figures_of(const KernelReport& before, const KernelReport& after) {
  std::vector<Change> figures;
  auto add = [&](const char* name, double b, double a, Unit unit = Unit::Count, bool costs = true) {
    Change change{name, b, a, unit, costs};
    if (std::abs(change.growth()) > kSame) figures.push_back(std::move(change));
  };
  const Counts &b = before.launch.totals, &a = after.launch.totals;
  auto sum = [&](const char* name, std::initializer_list<Counter> counters, Unit unit = Unit::Count) {
    double x = 0, y = 0;
    for (Counter c : counters) x += double(b[c]), y += double(a[c]);
    add(name, x, y, unit);
  };
  auto quotient = [&](const char* name, Counter above, Counter below) {
    if (b[below] && a[below]) add(name, ratio(b, above, below), ratio(a, above, below));
  };
  quotient(kLoadSectors, GlobalLoadSectors, GlobalLoadRequests);
  quotient(kStoreSectors, GlobalStoreSectors, GlobalStoreRequests);
  sum(kLoads, {GlobalLoadRequests});
  sum(kStores, {GlobalStoreRequests});
  sum(kDram, {DramReadBytes, DramWriteBytes}, Unit::Bytes);
  sum(kWavefronts, {SharedLoadWavefronts, SharedStoreWavefronts, SharedAtomicWavefronts});
  sum(kConflicts, {SharedLoadConflicts, SharedStoreConflicts});
  sum(kInstructions, {Instructions});
  sum(kBarriers, {Barriers});
  sum(kAtomics, {GlobalAtomicLanes});
  add(kDivergent, double(b[DivergentBranches]), double(a[DivergentBranches]), Unit::Count,
      divergence_costs(before, after));
  add(kActive, active_threads(before), active_threads(after), Unit::Count, false);
  sum(kLocal, {LocalLoadRequests, LocalStoreRequests});
  add(kRegisters, before.launch.registers, after.launch.registers);
  add(kSharedBytes, before.launch.static_shared_bytes + before.launch.dynamic_shared_bytes,
      after.launch.static_shared_bytes + after.launch.dynamic_shared_bytes, Unit::Bytes);
  if (before.predicted && after.predicted)
    add(kOccupancy, before.prediction.occupancy.fraction, after.prediction.occupancy.fraction, Unit::Share, false);
  add(kLaunches, double(before.launches), double(after.launches));
  return figures;
}

std::string_view name_of(const KernelPair& p) { return (p.after ? p.after : p.before)->launch.kernel; }
double seconds_of(const KernelPair& p) {
  return std::max(p.before ? p.before->seconds : 0, p.after ? p.after->seconds : 0);
}

// "86.8 µs (73.8 to 99.8) -> 35.5 µs (30.2 to 40.8): 2.44 times faster"
std::string change_line(const TimeRange& before, const TimeRange& after) {
  const std::string words = difference_words(before, after);
  return fmt::format("{} -> {}{}{}", range_text(before), range_text(after), words.empty() ? "" : ": ", words);
}

class Text {
 public:
  Text(const Comparison& c, bool color) : c_(c), color_(color) {}

  std::string write() {
    line("{}", strong(fmt::format("before  {}", c_.before->profile->program)));
    line("{}", strong(fmt::format("after   {}", c_.after->profile->program)));
    if (c_.before->device->id != c_.after->device->id)
      line("on {} before, on {} after: the devices differ, too", c_.before->device->name, c_.after->device->name);
    else
      line("on {}; times are modelled, with the range of the model in brackets (docs/model.md)",
           c_.after->device->name);
    for (const KernelPair& pair : c_.kernels) kernel(pair);
    line("");
    line("all kernels  {}", change_line(c_.before->time(), c_.after->time()));
    if (c_.before->copy_seconds + c_.after->copy_seconds > 0)
      line("copies       {} -> {}", seconds_text(c_.before->copy_seconds), seconds_text(c_.after->copy_seconds));
    return std::move(out_);
  }

 private:
  template <class... A>
  void line(fmt::format_string<A...> format, A&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<A>(arguments)...);
    out_ += '\n';
  }
  std::string strong(std::string_view text) const {
    return color_ ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
  }

  void kernel(const KernelPair& p) {
    line("");
    if (!p.before || !p.after) {
      line("{}", strong(name_of(p)));
      line("  {} only: {}", p.before ? "before" : "after", seconds_text((p.before ? p.before : p.after)->seconds));
      return;
    }
    const KernelReport &b = *p.before, &a = *p.after;
    line("{}",
         strong(b.launch.kernel == a.launch.kernel ? a.launch.kernel : b.launch.kernel + " -> " + a.launch.kernel));
    if (!b.predicted || !a.predicted) {
      line("  cannot run on the device {}", b.predicted ? "after" : "before");
    } else {
      line("  {}", change_line(b.time(), a.time()));
      for (const std::string& sentence : why(p)) line("  {}", sentence);
      if (!a.advice.empty())
        line("  Next: {}{} (warpwise explain {}).", a.advice[0].info->title,
             a.advice[0].gain >= 1.05 ? fmt::format(", up to {:.1f} times faster", a.advice[0].gain) : std::string(),
             a.advice[0].info->key);
    }
    for (const Change& part : p.parts)
      line("    {:32} busy {:>9} -> {:>9}  {}", part.name, seconds_text(part.before), seconds_text(part.after),
           growth_text(part));
    for (size_t i = 0; i < p.figures.size() && i < kMostFigures; ++i) {
      const Change& f = p.figures[i];
      line("    {:32}      {:>9} -> {:>9}  {}{}", f.name, value_text(f.before, f.unit), value_text(f.after, f.unit),
           growth_text(f), f.name == kDivergent && !f.felt ? ", which costs nothing" : "");
    }
    if (p.parts.empty() && p.figures.empty()) line("    nothing changed by more than 1 %");
  }

  const Comparison& c_;
  const bool color_;
  std::string out_;
};

}  // namespace

std::string value_text(double value, Unit unit) {
  switch (unit) {
    case Unit::Bytes:
      return bytes_text(value);
    case Unit::Seconds:
      return seconds_text(value);
    case Unit::Share:
      return percent_text(value);
    case Unit::Count:
      return count_text(value);
  }
  return "";
}

std::string growth_text(const Change& c) {
  if (c.before <= 0) return "new";
  if (c.after <= 0) return "gone";
  const double times = c.after / c.before;
  return times >= 2     ? fmt::format("{:.1f} times as much", times)
         : times <= 0.5 ? fmt::format("{:.1f} times less", 1 / times)
                        : fmt::format("{:+.0f} %", 100 * (times - 1));
}

Difference difference_of(const TimeRange& before, const TimeRange& after) {
  if (before.seconds <= 0 || after.seconds <= 0) return Difference::Unknown;
  if (std::abs(after.seconds / before.seconds - 1) <= kSame) return Difference::Same;
  if (after.low <= before.high && before.low <= after.high) return Difference::Unclear;
  return after.seconds < before.seconds ? Difference::Faster : Difference::Slower;
}

std::string_view key_of(Difference difference) {
  switch (difference) {
    case Difference::Unknown:
      return "unknown";
    case Difference::Same:
      return "same";
    case Difference::Unclear:
      return "unclear";
    case Difference::Faster:
      return "faster";
    case Difference::Slower:
      return "slower";
  }
  return "";
}

std::string difference_words(const TimeRange& before, const TimeRange& after) {
  const Difference difference = difference_of(before, after);
  if (difference == Difference::Unknown) return "";
  if (difference == Difference::Same) return "as fast";
  const std::string times = after.seconds < before.seconds
                                ? fmt::format("{:.2f} times faster", before.seconds / after.seconds)
                                : fmt::format("{:.2f} times slower", after.seconds / before.seconds);
  return difference == Difference::Unclear
             ? fmt::format("no difference that the model can tell ({}, but the ranges overlap)", times)
             : times;
}

Difference KernelPair::difference() const {
  return before && after ? difference_of(before->time(), after->time()) : Difference::Unknown;
}

std::string range_text(const TimeRange& time) {
  if (time.seconds <= 0 || time.high <= time.low) return seconds_text(time.seconds);
  return fmt::format("{} ({} to {})", seconds_text(time.seconds), seconds_text(time.low), seconds_text(time.high));
}

std::vector<std::string> why(const KernelPair& p) {
  std::vector<std::string> sentences;
  if (!p.before || !p.after || !p.before->predicted || !p.after->predicted) return sentences;
  const KernelReport &b = *p.before, &a = *p.after;
  if (b.prediction.limiter == a.prediction.limiter)
    sentences.push_back(fmt::format("It was and is limited by {}.", limited_by(a)));
  else
    sentences.push_back(fmt::format("It was limited by {}; now it is limited by {}.", limited_by(b), limited_by(a)));
  if (!p.parts.empty()) {
    const Change& part = p.parts[0];
    std::string sentence = fmt::format("The largest change is in {}: busy for {} instead of {}", part.name,
                                       seconds_text(part.after), seconds_text(part.before));
    std::string because;
    for (std::string_view name : figures_behind(part.name)) {
      const auto figure =
          std::find_if(p.figures.begin(), p.figures.end(), [&](const Change& f) { return f.name == name; });
      // A figure that moved the other way explains nothing.
      if (figure == p.figures.end() || (figure->after < figure->before) != (part.after < part.before)) continue;
      because += fmt::format("{}{}: {} before, {} now", because.empty() ? " (" : ", ", figure->name,
                             value_text(figure->before, figure->unit), value_text(figure->after, figure->unit));
    }
    sentences.push_back(sentence + (because.empty() ? "." : because + ")."));
  }
  std::string taken;
  for (const Advice& advice : b.advice)
    if (std::none_of(a.advice.begin(), a.advice.end(), [&](const Advice& other) { return other.info == advice.info; }))
      taken += fmt::format("{}\"{}\"", taken.empty() ? "" : ", ", advice.info->title);
  if (!taken.empty()) sentences.push_back(fmt::format("Advice that no longer applies: {}.", taken));
  return sentences;
}

Comparison compare(const Analysis& before, const Analysis& after) {
  Comparison c{&before, &after, {}};
  std::vector<const KernelReport*> rest;
  for (const KernelReport& k : before.kernels) rest.push_back(&k);
  std::vector<const KernelReport*> unpaired;
  auto take = [&](auto matches) -> const KernelReport* {
    auto found = std::find_if(rest.begin(), rest.end(), matches);
    if (found == rest.end()) return nullptr;
    const KernelReport* k = *found;
    rest.erase(found);
    return k;
  };
  // The same name and shape first: one kernel may run in several shapes.
  for (const KernelReport& k : after.kernels) {
    auto name = [&](const KernelReport* o) { return o->launch.kernel == k.launch.kernel; };
    auto shape = [&](const KernelReport* o) {
      return name(o) && o->launch.grid.count() == k.launch.grid.count() &&
             o->launch.block.count() == k.launch.block.count();
    };
    const KernelReport* other = take(shape);
    if (!other) other = take(name);
    if (other)
      c.kernels.push_back({other, &k, {}, {}});
    else
      unpaired.push_back(&k);
  }
  // The rest may have been renamed: pair them by time, the longest first.
  for (const KernelReport* k : unpaired) {
    const KernelReport* other = rest.empty() ? nullptr : rest.front();
    if (other) rest.erase(rest.begin());
    c.kernels.push_back({other, k, {}, {}});
  }
  for (const KernelReport* k : rest) c.kernels.push_back({k, nullptr, {}, {}});
  for (KernelPair& pair : c.kernels)
    if (pair.before && pair.after)
      pair.parts = parts_of(*pair.before, *pair.after), pair.figures = figures_of(*pair.before, *pair.after);
  for (KernelPair& pair : c.kernels) {
    for (Change& figure : pair.figures) figure.felt = felt(figure, pair);
    std::stable_partition(pair.figures.begin(), pair.figures.end(), [](const Change& f) { return f.felt; });
  }
  std::stable_sort(c.kernels.begin(), c.kernels.end(),
                   [](const KernelPair& a, const KernelPair& b) { return seconds_of(a) > seconds_of(b); });
  return c;
}

std::string to_text(const Comparison& comparison, bool color) { return Text(comparison, color).write(); }

nlohmann::json to_json(const Comparison& comparison) {
  auto changes = [](const std::vector<Change>& list) {
    nlohmann::json out = nlohmann::json::array();
    for (const Change& c : list) out.push_back({{"name", c.name}, {"before", c.before}, {"after", c.after}});
    return out;
  };
  auto side = [](const KernelReport* k) -> nlohmann::json {
    if (!k) return nullptr;
    return {{"kernel", k->launch.kernel},
            {"seconds", k->seconds},
            {"seconds_low", k->low},
            {"seconds_high", k->high},
            {"limiter", k->predicted ? key_of(k->prediction.limiter) : ""}};
  };
  nlohmann::json kernels = nlohmann::json::array();
  for (const KernelPair& p : comparison.kernels)
    kernels.push_back({{"before", side(p.before)},
                       {"after", side(p.after)},
                       {"speedup", p.speedup()},
                       {"difference", key_of(p.difference())},
                       {"busy_seconds", changes(p.parts)},
                       {"figures", changes(p.figures)}});
  return {{"before", comparison.before->profile->program},
          {"after", comparison.after->profile->program},
          {"seconds_before", comparison.before->seconds},
          {"seconds_after", comparison.after->seconds},
          {"kernels", kernels}};
}

std::vector<std::string> regressions(const Comparison& comparison, double threshold) {
  std::vector<std::string> found;
  for (const KernelPair& p : comparison.kernels) {
    if (!p.before || !p.after || p.before->launch.kernel != p.after->launch.kernel) continue;
    auto ask = [&](const Change& c) {
      if (!c.costs || c.growth() <= threshold) return;
      found.push_back(fmt::format("{}: {} {} -> {} ({})", p.after->launch.kernel, c.name, value_text(c.before, c.unit),
                                  value_text(c.after, c.unit), growth_text(c)));
    };
    ask({"modelled time", p.before->seconds, p.after->seconds, Unit::Seconds});
    for (const Change& figure : p.figures) ask(figure);
  }
  return found;
}

}  // namespace warpwise::perf
