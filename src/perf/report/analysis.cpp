#include "perf/report/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "perf/advice/rules.h"
#include "perf/timing/transfer.h"

namespace warpwise::perf {
namespace {

using enum Counter;

auto shape_of(const LaunchCounts& l) {
  return std::tuple(l.symbol, l.grid.x, l.grid.y, l.grid.z, l.block.x, l.block.y, l.block.z, l.dynamic_shared_bytes);
}

void add_lines(std::vector<LineCounts>& sum, const std::vector<LineCounts>& lines) {
  for (const LineCounts& line : lines) {
    auto same = std::find_if(sum.begin(), sum.end(), [&](const LineCounts& l) { return l.frames == line.frames; });
    if (same == sum.end())
      sum.push_back(line);
    else
      same->counts += line.counts;
  }
}

// One kernel and shape: the launches of the profile with these indices.
KernelReport report_of(const std::vector<const LaunchCounts*>& launches, const device::Properties& device,
                       const Counterparts& counterparts) {
  KernelReport report;
  report.launches = launches.size();
  double longest = -1;
  const LaunchCounts* most = launches[0];
  std::optional<uint64_t> last;
  std::optional<Prediction> p;
  for (const LaunchCounts* launch : launches) {
    if (!launch->counts_of || launch->counts_of != last) p = predict(*launch, device);
    last = launch->counts_of.value_or(launch->index);
    if (!p) continue;
    report.predicted = true;
    report.seconds += p->seconds, report.low += p->low, report.high += p->high;
    if (p->seconds > longest) longest = p->seconds, report.prediction = *p, most = launch;
  }
  report.launch = *most;
  if (report.predicted) report.advice = advise({*most, report.prediction, device});
  report.measured = measurement_of(launches, *most, device, counterparts);
  for (Advice& advice : report.advice) advice.saved_seconds *= double(report.launches);
  for (const LaunchCounts* launch : launches) {
    if (launch == most) continue;
    report.launch.totals += launch->totals;
    add_lines(report.launch.lines, launch->lines);
  }
  return report;
}

}  // namespace

double flops_of(const Counts& c) {
  return double(c[Fadd] + c[Fmul] + c[Dadd] + c[Dmul] + c[Hadd] + c[Hmul]) + 2.0 * double(c[Ffma] + c[Dfma] + c[Hfma]) +
         double(c[TensorF16Ops] + c[TensorTf32Ops] + c[TensorF64Ops] + c[TensorF8Ops]);
}

std::string waves_text(const KernelReport& k, const device::Properties& device) {
  const Prediction& p = k.prediction;
  const uint64_t blocks = k.launch.grid.count(), slots = uint64_t{p.occupancy.blocks} * device.sm_count;
  if (p.waves > 1) return fmt::format("{} blocks run in {:.2f} waves: {} at once", blocks, p.waves, slots);
  const std::string filled = p.resident_warps < 0.5 ? "less than one" : fmt::format("about {:.0f}", p.resident_warps);
  return fmt::format("this grid fills {} of them: it has {} block{}, and {} would fit at once", filled, blocks,
                     blocks == 1 ? "" : "s", slots);
}

TimeRange Analysis::time() const {
  TimeRange sum;
  for (const KernelReport& k : kernels) sum += k.time();
  return sum;
}

double KernelReport::flops() const { return flops_of(launch.totals); }
double KernelReport::dram_bytes() const { return double(launch.totals[DramReadBytes] + launch.totals[DramWriteBytes]); }

Analysis analyse(const Profile& profile, const device::Properties& device) {
  Analysis analysis;
  analysis.profile = &profile, analysis.device = &device;
  std::map<decltype(shape_of(LaunchCounts{})), std::vector<const LaunchCounts*>> groups;
  for (const LaunchCounts& launch : profile.launches) groups[shape_of(launch)].push_back(&launch);
  const Counterparts counterparts(profile);
  analysis.not_matched = counterparts.not_matched();
  for (const auto& [shape, launches] : groups) analysis.kernels.push_back(report_of(launches, device, counterparts));
  std::stable_sort(analysis.kernels.begin(), analysis.kernels.end(),
                   [](const KernelReport& a, const KernelReport& b) { return a.seconds > b.seconds; });
  for (const KernelReport& kernel : analysis.kernels) analysis.seconds += kernel.seconds;
  for (const HostEvent& event : profile.events) analysis.copy_seconds += transfer_seconds(event, device);
  analysis.advice = advise_program({profile, device, analysis.seconds, analysis.copy_seconds});
  return analysis;
}

}  // namespace warpwise::perf
