#include "perf/measured/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "perf/report/format.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {
namespace {

using enum Counter;
using device::Machine;
using device::Properties;

// Times within this share agree.
constexpr double kAgrees = 0.05;
// A count explains a difference when it removes this share of it.
constexpr double kExplains = 1.0 / 3;
// Figures that would have to be wrong by more than this are not told: something else is the reason.
constexpr double kMostFactor = 4;
constexpr size_t kFiguresTold = 2;

std::optional<double> time_of(const LaunchCounts& launch, const Properties& device) {
  const std::optional<Prediction> p = predict(launch, device);
  if (!p) return std::nullopt;
  return p->seconds - p->gap_seconds;
}

// --- counts -------------------------------------------------------------------------------------------------------

// A counter follows one that the GPU has: itself, or where the GPU has none of that name, a near one.
struct Follows {
  Counter counter, followed;
};
struct CountPart {
  std::string_view words;
  std::vector<Follows> counters;
};

const std::vector<CountPart>& count_parts() {
  static const std::vector<CountPart> kParts = {
      {"the instructions",
       {{Instructions, Instructions},
        {PipeFma, PipeFma},
        {PipeAlu, PipeAlu},
        {PipeFp64, PipeFp64},
        {PipeFp16, PipeFp16},
        {PipeXu, PipeXu},
        {PipeLsu, PipeLsu}}},
      {"what global memory costs at L1",
       {{GlobalLoadRequests, GlobalLoadRequests},
        {GlobalLoadSectors, GlobalLoadSectors},
        {GlobalLoadLines, GlobalLoadSectors},
        {GlobalLoadRegisterBytes, GlobalLoadRequests},
        {GlobalStoreRequests, GlobalStoreRequests},
        {GlobalStoreSectors, GlobalStoreSectors},
        {GlobalStoreLines, GlobalStoreSectors},
        {GlobalStoreBytes, GlobalStoreBytes},
        {GlobalAtomicRequests, GlobalAtomicRequests},
        {GlobalAtomicSectors, GlobalAtomicSectors},
        {GlobalReductionRequests, GlobalReductionRequests},
        {GlobalReductionSectors, GlobalReductionSectors}}},
      {"local memory",
       {{LocalLoadRequests, LocalLoadRequests},
        {LocalLoadSectors, LocalLoadSectors},
        {LocalStoreRequests, LocalStoreRequests},
        {LocalStoreSectors, LocalStoreSectors}}},
      {"what shared memory costs",
       {{SharedLoads, SharedLoads},
        {SharedLoadWavefronts, SharedLoadWavefronts},
        {SharedLoadRegisterBytes, SharedLoadWavefronts},
        {SharedStores, SharedStores},
        {SharedStoreWavefronts, SharedStoreWavefronts},
        {SharedStoreBytes, SharedStoreBytes},
        {SharedAtomics, SharedAtomics},
        {SharedAtomicWavefronts, SharedAtomicWavefronts}}},
      {"the traffic between L1 and L2",
       {{L1ReadSectors, L1ReadSectors},
        {L1ReadHits, L1ReadHits},
        {L2ReadSectors, L2ReadSectors},
        {L2WriteSectors, L2WriteSectors},
        {L2AtomicSectors, L2AtomicSectors},
        {L2ReductionSectors, L2ReductionSectors}}},
      {"the traffic of DRAM", {{DramReadBytes, DramReadBytes}, {DramWriteBytes, DramWriteBytes}}},
  };
  return kParts;
}

void follow(LaunchCounts& launch, const LaunchCounts& before, const HardwareCounts& gpu, const Follows& one) {
  const double there = gpu[one.followed], here = double(before.totals[one.followed]);
  if (std::isnan(there)) return;
  // What was not seen here at all belongs to no source line.
  if (here == 0) {
    if (one.counter == one.followed) launch.totals[one.counter] = uint64_t(std::llround(there));
    return;
  }
  auto scale = [&](Counts& counts, const Counts& old) {
    counts[one.counter] = uint64_t(std::llround(double(old[one.counter]) * there / here));
  };
  scale(launch.totals, before.totals);
  for (size_t i = 0; i < launch.lines.size(); ++i) scale(launch.lines[i].counts, before.lines[i].counts);
}

void replace(LaunchCounts& launch, const LaunchCounts& before, const HardwareCounts& gpu, const CountPart& part) {
  for (const Follows& one : part.counters) follow(launch, before, gpu, one);
  // The GPU counts what ptxas has made of PTX: nothing is to be added to that or taken away.
  auto forget = [&](std::initializer_list<Counter> counters) {
    for (Counter c : counters) {
      launch.totals[c] = 0;
      for (LineCounts& line : launch.lines) line.counts[c] = 0;
    }
  };
  if (part.counters.front().counter == Instructions && !std::isnan(gpu[Instructions]))
    forget({MoreFma, MoreAlu, MoreXu, MoreFp64, MoreBranches, MoreUniform, PredicatedOff, FusedAlu, FusedBranches});
  if (part.counters.front().counter == SharedLoads && !std::isnan(gpu[SharedLoads])) forget({SharedLoadsFused});
}

// Tells which counts explain the difference, and leaves the launch with all of the GPU's counts.
void explain_by_counts(LaunchCounts& launch, const Properties& device, double seconds, double modelled,
                       const HardwareCounts& gpu, std::vector<std::string>& said) {
  const LaunchCounts before = launch;
  const double error = std::abs(std::log(seconds / modelled));
  const CountPart* best = nullptr;
  double best_error = error, best_time = modelled;
  for (const CountPart& part : count_parts()) {
    LaunchCounts changed = before;
    replace(changed, before, gpu, part);
    const std::optional<double> time = time_of(changed, device);
    if (time && std::abs(std::log(seconds / *time)) < best_error)
      best = &part, best_error = std::abs(std::log(seconds / *time)), best_time = *time;
    replace(launch, before, gpu, part);
  }
  const std::optional<double> all = time_of(launch, device);
  if (best && error - best_error >= kExplains * error)
    said.push_back(fmt::format("the counts differ in {}: with the GPU's own the model says {}", best->words,
                               seconds_text(best_time)));
  else if (all)
    said.push_back(
        fmt::format("the counts do not explain it: with all of the GPU's own the model says {}", seconds_text(*all)));
  if (best && all && error - best_error >= kExplains * error && std::abs(*all / best_time - 1) > kAgrees)
    said.push_back(fmt::format("with all of the GPU's own counts the model says {}", seconds_text(*all)));
}

// --- figures ------------------------------------------------------------------------------------------------------

// A rate or a latency of the device, `slower` times as slow.
struct FigurePart {
  std::string_view words;
  void (*slow)(Machine& machine, double slower);
};

constexpr FigurePart kFigureParts[] = {
    {"instruction issue", [](Machine& m, double f) { m.issue /= f; }},
    {"the fp32 pipe", [](Machine& m, double f) { m.fp32_lanes /= f; }},
    {"the integer pipe", [](Machine& m, double f) { m.integer_lanes /= f; }},
    {"the fp64 pipe", [](Machine& m, double f) { m.fp64_lanes /= f; }},
    {"the fp16 pipe", [](Machine& m, double f) { m.fp16_lanes /= f; }},
    {"the pipe of special functions", [](Machine& m, double f) { m.special_lanes /= f; }},
    {"the tensor cores",
     [](Machine& m, double f) {
       for (double* rate : {&m.tensor_f16, &m.tensor_tf32, &m.tensor_f64, &m.tensor_f8, &m.tensor_int8}) *rate /= f;
     }},
    {"L1 and shared memory",
     [](Machine& m, double f) {
       for (double* rate : {&m.l1_bytes, &m.shared_register_bytes, &m.lsu_lanes, &m.l1_tags}) *rate /= f;
     }},
    {"the way from L2 to an SM", [](Machine& m, double f) { m.l2_to_sm_bytes /= f; }},
    {"L2", [](Machine& m, double f) { m.l2_bytes_per_clock /= f; }},
    {"atomics", [](Machine& m, double f) { m.l2_atomics_per_clock /= f; }},
    {"DRAM", [](Machine& m, double f) { m.dram_read_fraction /= f, m.dram_fraction /= f; }},
    {"the wait for arithmetic",
     [](Machine& m, double f) { m.fma_latency *= f, m.fp64_latency *= f, m.special_latency *= f; }},
    {"the wait for matrix products", [](Machine& m, double f) { m.tensor_latency *= f; }},
    {"the wait for shared memory", [](Machine& m, double f) { m.shared_latency *= f; }},
    {"the wait for global memory",
     [](Machine& m, double f) { m.l1_latency *= f, m.l2_latency *= f, m.dram_latency_ns *= f; }},
    {"the wait at barriers", [](Machine& m, double f) { m.barrier_latency *= f; }},
};

// How many times as slow a part would have to be for the model to agree; none: no factor makes it.
std::optional<double> factor_for(const LaunchCounts& launch, const Properties& device, double seconds,
                                 const FigurePart& part) {
  auto with = [&](double factor) {
    Properties changed = device;
    part.slow(changed.machine, factor);
    return time_of(launch, changed).value_or(seconds);
  };
  double low = 1 / kMostFactor, high = kMostFactor;
  // Slower parts make longer times.
  if (with(low) > seconds || with(high) < seconds) return std::nullopt;
  constexpr int kHalvings = 24;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = std::sqrt(low * high);
    (with(middle) < seconds ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

std::string factor_text(double factor) {
  return factor > 1 ? fmt::format("{:.2f} times as slow", factor) : fmt::format("{:.2f} times as fast", 1 / factor);
}

void explain_by_figures(const LaunchCounts& launch, const Properties& device, double seconds,
                        std::vector<std::string>& said) {
  struct Found {
    const FigurePart* part;
    double factor;
  };
  std::vector<Found> found;
  for (const FigurePart& part : kFigureParts)
    if (const auto factor = factor_for(launch, device, seconds, part)) found.push_back({&part, *factor});
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::abs(std::log(a.factor)) < std::abs(std::log(b.factor));
  });
  if (found.size() > kFiguresTold) found.resize(kFiguresTold);
  std::string list;
  for (const Found& f : found)
    list += fmt::format("{}{} were {}", list.empty() ? "" : ", or if ", f.part->words, factor_text(f.factor));
  said.push_back(list.empty() ? "no rate or latency of the model explains what is left by itself"
                              : fmt::format("the model would agree if {} as it has it", list));
}

}  // namespace

std::vector<std::string> explain_difference(const LaunchCounts& launch, const Properties& device, double seconds,
                                            const HardwareCounts* hardware) {
  std::vector<std::string> said;
  const std::optional<double> modelled = time_of(launch, device);
  if (!modelled || seconds <= 0 || std::abs(seconds / *modelled - 1) <= kAgrees) return said;
  LaunchCounts counts = launch;
  if (hardware) explain_by_counts(counts, device, seconds, *modelled, *hardware, said);
  const std::optional<double> left = time_of(counts, device);
  if (left && std::abs(seconds / *left - 1) > kAgrees) explain_by_figures(counts, device, seconds, said);
  return said;
}

}  // namespace warpwise::perf
