// Dense loads of a few bytes per lane, where one load of 16 bytes would replace several.
//
// Wider loads mean fewer instructions (the load, and about one for its address), fewer addresses for the load/store
// units, and fewer waits one after the other. Bytes, sectors and lines stay the same, so the rule gives no advice where
// DRAM, L2 or the lines of L1 limit a kernel.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

namespace {

constexpr double kWarp = 32, kWidest = 16, kSector = 32;
// Each load has another instruction beside it, which computes its address or counts the loop.
constexpr double kBesideLoad = 1;

// How many times wider the loads of a line could be; 1 where they are not dense, because then lanes do not read
// neighbouring words. A source line may hold dense loads and loads of one word for all lanes (a[k] * b[i]): what a load
// brings to each lane is the same for both.
double possible_width_factor(const Counts& c) {
  const double requests = double(c[GlobalLoadRequests]),
               bytes = requests > 0 ? double(c[GlobalLoadRegisterBytes]) / requests / kWarp : 0;
  const bool dense = double(c[GlobalLoadSectors]) * kSector < 1.3 * double(c[GlobalLoadBytes]);
  return dense && bytes > 0.5 ? std::max(1.0, kWidest / bytes) : 1;
}

}  // namespace

std::optional<Advice> wide_loads(const Situation& s) {
  LaunchCounts other = s.launch;
  double spared = 0;
  for (LineCounts& line : other.lines) {
    const double requests = double(line.counts[GlobalLoadRequests]) * (1 - 1 / possible_width_factor(line.counts));
    if (requests < 1) continue;
    spared += requests;
    for (Counts* c : {&line.counts, &other.totals}) {
      auto less = [&](Counter counter, double by) { (*c)[counter] -= std::min((*c)[counter], uint64_t(by)); };
      less(GlobalLoadRequests, requests), less(PipeLsu, requests);
      less(PipeAlu, kBesideLoad * requests), less(Instructions, (1 + kBesideLoad) * requests);
    }
  }
  const double loads = double(s.launch.totals[GlobalLoadRequests]);
  if (spared == 0 || spared < 0.2 * loads) return std::nullopt;
  other.latency.chain.global *= 1 - spared / loads;
  const std::optional<Prediction> p = predict(other, s.device);
  if (!p) return std::nullopt;
  const LineCounts* line = heaviest_line(
      s.launch, [](const Counts& c) { return double(c[GlobalLoadRequests]) * (1 - 1 / possible_width_factor(c)); });
  if (!line) return std::nullopt;  // no such load has a known source line
  const double bytes = ratio(line->counts, GlobalLoadRegisterBytes, GlobalLoadRequests) / kWarp;
  return worth(
      s, p->seconds,
      fmt::format("each load brings a thread {:.0f} byte{}, and neighbouring threads read neighbouring elements; a "
                  "load can bring 16",
                  bytes, bytes < 1.5 ? "" : "s"),
      "let each thread load several neighbouring elements at once (float4, int4, or uint4 for bytes, through a pointer "
      "that is aligned to 16 bytes)",
      place_of(line));
}

}  // namespace warpwise::perf::rules
