#include "perf/measured/measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "perf/measured/difference.h"
#include "perf/report/format.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {
namespace {

using Shape = std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t>;

Shape shape_of(const std::string& symbol, const device::Dim3& grid, const device::Dim3& block) {
  return {symbol, grid.x, grid.y, grid.z, block.x, block.y, block.z};
}
Shape shape_of(const LaunchKey& key) { return shape_of(key.symbol, key.grid, key.block); }

// The launches of each shape, in their order.
template <class T>
std::map<Shape, std::vector<const T*>> by_shape(const std::vector<T>& launches) {
  std::map<Shape, std::vector<const T*>> out;
  for (const T& launch : launches) out[shape_of(launch.key)].push_back(&launch);
  return out;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<CounterPair> pairs_of(const std::vector<const LaunchCounts*>& launches, const Counterparts& counterparts,
                                  uint64_t* told) {
  std::vector<CounterPair> pairs;
  for (unsigned c = 0; c < kCounters; ++c) {
    CounterPair pair{Counter(c), 0, 0};
    uint64_t launches_told = 0;
    for (const LaunchCounts* launch : launches) {
      const HardwareCounts* hardware = counterparts.hardware(*launch);
      if (!hardware || std::isnan((*hardware)[pair.counter])) continue;
      ++launches_told;
      pair.gpu += (*hardware)[pair.counter];
      pair.here += double(launch->totals[pair.counter]);
    }
    *told = std::max(*told, launches_told);
    if (launches_told > 0 && (pair.gpu != 0 || pair.here != 0)) pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

std::string verdict_text(const KernelMeasurement& m) {
  const double off = m.modelled / m.seconds - 1;
  constexpr double kSame = 0.005;
  const std::string how = std::abs(off) < kSame
                              ? "the same"
                              : fmt::format("{} too {}", percent_text(std::abs(off)), off < 0 ? "short" : "long");
  return fmt::format("the model says {}: {}, and the time is {} its range of {} to {}", seconds_text(m.modelled), how,
                     m.in_range() ? "within" : "outside", seconds_text(m.low), seconds_text(m.high));
}

std::string spread_text(const KernelMeasurement& m) {
  if (m.launches < 2) return "";
  return fmt::format("{} launches, each {} to {}, median {}", m.launches, seconds_text(m.least), seconds_text(m.most),
                     seconds_text(m.median));
}

Counterparts::Counterparts(const Profile& profile) {
  const auto measured = by_shape(profile.measured);
  const auto hardware = by_shape(profile.hardware);
  std::map<Shape, size_t> counted;
  std::map<Shape, std::string> names;
  for (const LaunchCounts& launch : profile.launches) {
    const Shape shape = shape_of(launch.symbol, launch.grid, launch.block);
    const size_t number = counted[shape]++;
    names[shape] = launch.kernel;
    if (auto found = measured.find(shape); found != measured.end() && number < found->second.size())
      measured_[launch.index] = found->second[number];
    if (auto found = hardware.find(shape); found != hardware.end() && number < found->second.size())
      hardware_[launch.index] = found->second[number];
  }
  if (profile.measured.empty()) return;
  std::set<Shape> all;
  for (const auto& [shape, launches] : measured) all.insert(shape);
  for (const auto& [shape, number] : counted) all.insert(shape);
  for (const Shape& shape : all) {
    const auto there = measured.find(shape);
    const size_t on_gpu = there == measured.end() ? 0 : there->second.size(), here = counted[shape];
    if (on_gpu == here) continue;
    const auto& [symbol, gx, gy, gz, bx, by, bz] = shape;
    not_matched_.push_back(fmt::format(
        "{} with a grid of ({}, {}, {}) and blocks of ({}, {}, {}) was launched {} times on the GPU and {} times here",
        names.contains(shape) ? names[shape] : symbol, gx, gy, gz, bx, by, bz, on_gpu, here));
  }
}

std::optional<KernelMeasurement> measurement_of(const std::vector<const LaunchCounts*>& launches,
                                                const LaunchCounts& longest, const device::Properties& device,
                                                const Counterparts& counterparts) {
  KernelMeasurement out;
  std::vector<double> times;
  for (const LaunchCounts* launch : launches) {
    const MeasuredLaunch* measured = counterparts.measured(*launch);
    const std::optional<Prediction> p = measured ? predict(*launch, device) : std::nullopt;
    if (!p) continue;
    times.push_back(measured->seconds);
    out.seconds += measured->seconds;
    out.modelled += p->seconds - p->gap_seconds;
    out.low += std::max(0.0, p->low - p->gap_seconds), out.high += p->high - p->gap_seconds;
  }
  if (times.empty()) return std::nullopt;
  out.launches = times.size();
  out.median = median_of(times);
  std::tie(out.least, out.most) =
      std::pair(*std::min_element(times.begin(), times.end()), *std::max_element(times.begin(), times.end()));
  out.counters = pairs_of(launches, counterparts, &out.counted_launches);
  if (const MeasuredLaunch* measured = counterparts.measured(longest))
    out.difference = explain_difference(longest, device, measured->seconds, counterparts.hardware(longest));
  return out;
}

}  // namespace warpwise::perf
