// Dense loads of a few bytes a lane, where one of 16 would bring as much as several.
//
// What it gains is fewer instructions (the load, and about one for its address), fewer addresses for the load/store
// units, and fewer waits one after the other; the bytes, sectors and lines stay. So it says nothing where memory, L2 or
// L1's lines are what a kernel is short of.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

namespace {

constexpr double kWarp = 32, kWidest = 16, kSector = 32;
// With each load goes an instruction that makes its address or counts its loop.
constexpr double kBesideLoad = 1;

// How many times wider the loads of a line could be; 1 where they are not dense: then lanes do not read side by side.
double widening(const Counts& c) {
  const double requests = double(c[GlobalLoadRequests]),
               bytes = requests > 0 ? double(c[GlobalLoadBytes]) / requests / kWarp : 0;
  const bool dense = double(c[GlobalLoadSectors]) * kSector < 1.3 * double(c[GlobalLoadBytes]);
  return dense && bytes > 0.5 ? std::max(1.0, kWidest / bytes) : 1;
}

}  // namespace

std::optional<Advice> wide_loads(const Situation& s) {
  LaunchCounts other = s.launch;
  double spared = 0;
  for (LineCounts& line : other.lines) {
    const double requests = double(line.counts[GlobalLoadRequests]) * (1 - 1 / widening(line.counts));
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
  const LineCounts* line =
      heaviest_line(s.launch, [](const Counts& c) { return double(c[GlobalLoadRequests]) * (1 - 1 / widening(c)); });
  if (!line) return std::nullopt;  // all of them are of lines that nobody knows
  const double bytes = ratio(line->counts, GlobalLoadBytes, GlobalLoadRequests) / kWarp;
  return worth(
      s, p->seconds,
      fmt::format(
          "each load brings a thread {:.0f} byte{}, and neighbouring threads read side by side; a load can bring 16",
          bytes, bytes < 1.5 ? "" : "s"),
      "let a thread take several neighbouring elements with one load (float4, int4, or uchar4 through a pointer that "
      "is aligned to 16 bytes)",
      place_of(line));
}

}  // namespace warpwise::perf::rules
