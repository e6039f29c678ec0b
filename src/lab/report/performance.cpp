#include "lab/report/performance.h"

#include <algorithm>

#include "perf/counters/records.h"
#include "perf/report/analysis.h"

namespace warpwise::lab {
namespace {

// Below this share of the time advice is not worth a line.
constexpr double kLeastGain = 0.05;

void place_below_roof(const perf::Analysis& analysis, Performance& out) {
  const device::Properties& gpu = *analysis.device;
  const device::Machine& machine = gpu.machine;
  const double clocks = gpu.core_clock_khz * 1e3 * gpu.sm_count,
               bandwidth = gpu.dram_bytes_per_second() * machine.dram_read_fraction;
  double memory = 0, arithmetic = 0;
  bool tensor = false;
  for (const perf::KernelReport& kernel : analysis.kernels) {
    const bool tensor_cores = kernel.launch.totals[perf::Counter::PipeTensor] > 0;
    const double moved = kernel.dram_bytes() / bandwidth,
                 computed = kernel.flops() / ((tensor_cores ? machine.tensor_f16 : 2 * machine.fp32_lanes) * clocks);
    (moved >= computed ? memory : arithmetic) += std::max(moved, computed);
    tensor = tensor || (tensor_cores && computed > moved);
  }
  if (memory + arithmetic <= 0) return;
  out.of_roofline = std::min(1.0, (memory + arithmetic) / out.seconds);
  out.roof = memory >= arithmetic ? "memory" : tensor ? "tensor cores" : "arithmetic";
}

// The piece of advice that saves most.
std::optional<NextStep> next_step(const perf::Analysis& analysis, double seconds) {
  const perf::Advice* best = nullptr;
  auto look = [&](const std::vector<perf::Advice>& list) {
    for (const perf::Advice& advice : list)
      if (!best || advice.saved_seconds > best->saved_seconds) best = &advice;
  };
  for (const perf::KernelReport& kernel : analysis.kernels) look(kernel.advice);
  look(analysis.advice);
  if (!best || best->saved_seconds < kLeastGain * seconds) return std::nullopt;
  NextStep next{std::string(best->info->key), std::string(best->info->title), best->evidence, best->remedy, "", 0, 1};
  if (best->place) next.file = best->place->file, next.line = best->place->line;
  if (best->saved_seconds < seconds) next.gain = seconds / (seconds - best->saved_seconds);
  return next;
}

// Two modelled times that are this close count as equal.
constexpr double kSameTime = 1.05;

}  // namespace

size_t place_in(const std::vector<LadderStep>& ladder, double seconds) {
  return 1 + size_t(std::count_if(ladder.begin(), ladder.end(),
                                  [&](const LadderStep& step) { return step.seconds * kSameTime < seconds; }));
}

std::optional<Performance> performance_of(std::string_view records, const device::Properties& gpu) {
  const perf::Profile profile = perf::read_records(records);
  const perf::Analysis analysis = perf::analyse(profile, gpu);
  if (analysis.kernels.empty() ||
      !std::all_of(analysis.kernels.begin(), analysis.kernels.end(), [](const auto& k) { return k.predicted; }))
    return std::nullopt;
  Performance out;
  out.device = gpu.name;
  out.device_id = gpu.id;
  out.copy_seconds = analysis.copy_seconds;
  out.seconds = analysis.seconds + out.copy_seconds, out.low = out.high = out.copy_seconds;
  for (const perf::KernelReport& kernel : analysis.kernels)
    out.low += kernel.low, out.high += kernel.high, out.launches += kernel.launches;
  out.limiter = out.copy_seconds > analysis.seconds ? "copies between host and device"
                                                    : name_of(analysis.kernels[0].prediction.limiter);
  place_below_roof(analysis, out);
  out.advice = next_step(analysis, out.seconds);
  return out;
}

}  // namespace warpwise::lab
