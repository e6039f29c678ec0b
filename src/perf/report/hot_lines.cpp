#include "perf/report/hot_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "perf/report/format.h"
#include "perf/timing/demands.h"

namespace warpwise::perf {

using enum Counter;

std::string cost_of(const Counts& c) {
  std::string text;
  auto add = [&](std::string part) { text += (text.empty() ? "" : ", ") + std::move(part); };
  auto sectors = [&](Counter requests, Counter touched, Counter ideal, const char* what) {
    if (c[requests] == 0) return;
    double now = ratio(c, touched, requests), best = ratio(c, ideal, requests);
    add(fmt::format("{} {}{}: {:.1f} sectors of 32 bytes each{}", count_text(double(c[requests])), what,
                    c[requests] == 1 ? "" : "s", now,
                    now > 1.05 * best ? fmt::format(" where {:.1f} would do", best) : ""));
  };
  sectors(GlobalLoadRequests, GlobalLoadSectors, GlobalLoadIdealSectors, "global load");
  sectors(GlobalStoreRequests, GlobalStoreSectors, GlobalStoreIdealSectors, "global store");
  auto wavefronts = [&](Counter requests, Counter counted, Counter ideal, const char* what) {
    if (c[requests] == 0) return;
    double now = ratio(c, counted, requests), best = ratio(c, ideal, requests);
    add(fmt::format("{} {}{}{}", count_text(double(c[requests])), what, c[requests] == 1 ? "" : "s",
                    now > 1.05 * best ? fmt::format(": {:.1f} wavefronts each where {:.1f} would do", now, best) : ""));
  };
  wavefronts(SharedLoads, SharedLoadWavefronts, SharedLoadIdealWavefronts, "shared load");
  wavefronts(SharedStores, SharedStoreWavefronts, SharedStoreIdealWavefronts, "shared store");
  if (c[GlobalAtomicLanes]) add(fmt::format("{} atomics", count_text(double(c[GlobalAtomicLanes]))));
  if (c[LocalLoadRequests] + c[LocalStoreRequests])
    add(fmt::format("{} local memory requests", count_text(double(c[LocalLoadRequests] + c[LocalStoreRequests]))));
  if (c[DivergentBranches])
    add(fmt::format("{} of the branches diverge", percent_text(ratio(c, DivergentBranches, Branches))));
  if (c[Barriers]) add(fmt::format("{} waits of warps at a barrier", count_text(double(c[Barriers]))));
  if (text.empty() && c[Instructions])
    add(fmt::format("{} warp instruction{}", count_text(double(c[Instructions])), c[Instructions] == 1 ? "" : "s"));
  return text;
}

namespace {

// The clocks of an SM that a line accounts for: the weight by which lines are ranked.
double weight_of(const LineCounts& line, const KernelReport& kernel, const device::Properties& device) {
  LaunchCounts part = kernel.launch;
  part.totals = line.counts;
  part.lines.clear();
  Demands d = demands_of(part, device, kernel.prediction.clock_khz);
  // Sectors are counted at L1, where lines are known, and weighted by how busy the busiest level beyond L1 is.
  double global = 32.0 * double(line.counts[GlobalLoadSectors] + line.counts[GlobalStoreSectors]);
  double all = 32.0 * double(kernel.launch.totals[GlobalLoadSectors] + kernel.launch.totals[GlobalStoreSectors]);
  double beyond = std::max({kernel.prediction.of(Resource::L2), kernel.prediction.of(Resource::L2Port),
                            kernel.prediction.of(Resource::Dram)});
  double time = kernel.prediction.seconds * kernel.prediction.clock_khz * 1e3 * device.sm_count;
  double clocks = all > 0 ? global / all * beyond * time : 0;
  return clocks + d[Resource::Issue] +
         std::max({d[Resource::Fp32], d[Resource::Integer], d[Resource::Fp64], d[Resource::Fp16], d[Resource::Special],
                   d[Resource::Tensor]}) +
         d[Resource::L1] + d[Resource::Shared];
}

}  // namespace

std::vector<HotLine> hot_lines(const KernelReport& kernel, const device::Properties& device) {
  std::vector<HotLine> lines;
  double sum = 0;
  for (const LineCounts& line : kernel.launch.lines) {
    const double weight = weight_of(line, kernel, device);
    sum += weight;
    if (!line.frames.empty()) lines.push_back({weight, &line});
  }
  if (sum <= 0) return {};
  for (HotLine& line : lines) line.share /= sum;
  std::stable_sort(lines.begin(), lines.end(), [](const HotLine& a, const HotLine& b) { return a.share > b.share; });
  return lines;
}

std::optional<SourceFrame> costliest_place(const Analysis& analysis, std::string_view symbol) {
  for (const KernelReport& kernel : analysis.kernels) {
    if (kernel.launch.symbol != symbol) continue;
    for (const HotLine& hot : hot_lines(kernel, *analysis.device))
      if (hot.line && !hot.line->frames.empty()) return hot.line->frames[0];
  }
  return std::nullopt;
}

}  // namespace warpwise::perf
