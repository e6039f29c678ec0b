// Operands that each thread of a block loads from global memory for itself: they hit L1, which cannot serve more loads.
#include <fmt/format.h>

#include <algorithm>

#include "perf/advice/rules.h"

namespace warpwise::perf::rules {

using enum Counter;

namespace {

// How often a block loads the same sector, at least; a tile of 16 by 16 loads it once.
constexpr double kOften = 8, kTile = 16;
// A thread that computes 4 by 4 results needs a quarter of the words.
constexpr uint64_t kSquare = 4;

}  // namespace

std::optional<Advice> data_reuse(const Situation& s) {
  const Counts& c = s.launch.totals;
  const double touched = ratio(c, GlobalLoadSectors, GlobalLoadRequests),
               ideal = ratio(c, GlobalLoadIdealSectors, GlobalLoadRequests);
  const double arithmetic =
      double(c[Fadd] + c[Fmul] + c[Ffma] + c[Dadd] + c[Dmul] + c[Dfma] + c[Hadd] + c[Hmul] + c[Hfma] + c[IntegerOps]) /
      32;
  const double loads = double(c[GlobalLoadRequests]);
  // Scattered loads have a rule of their own, and so has a kernel that uses tiles already.
  if (loads == 0 || touched > 1.5 * ideal + 1 || s.prediction.of(Resource::L1) < 0.5 || arithmetic > 8 * loads ||
      double(c[SharedLoads]) > loads)
    return std::nullopt;
  if (c[L2ReadSectors] == 0 || ratio(c, GlobalLoadSectors, L2ReadSectors) < kOften) return std::nullopt;
  LaunchCounts other = s.launch;
  auto change = [](Counts& k) {
    const uint64_t moved = k[GlobalLoadRequests] - uint64_t(double(k[GlobalLoadRequests]) / kTile),
                   shared = moved / kSquare;
    for (Counter counter : {GlobalLoadRequests, GlobalLoadSectors, GlobalLoadIdealSectors, GlobalLoadLines,
                            GlobalLoadBytes, GlobalLoadRegisterBytes})
      k[counter] = uint64_t(double(k[counter]) / kTile);
    k[SharedLoads] += shared, k[SharedLoadWavefronts] += shared, k[SharedLoadIdealWavefronts] += shared,
        k[SharedLoadRegisterBytes] += shared * 128;
    for (Counter counter : {Instructions, PipeLsu}) k[counter] -= std::min(k[counter], moved - shared);
  };
  change(other.totals);
  for (LineCounts& line : other.lines) change(line.counts);
  other.latency.chain.shared += other.latency.chain.global, other.latency.chain.global /= kTile;
  const std::optional<Prediction> p = predict(other, s.device);
  if (!p) return std::nullopt;
  const LineCounts* line = heaviest_line(s.launch, [](const Counts& k) { return double(k[GlobalLoadRequests]); });
  return worth(
      s, p->seconds,
      fmt::format("threads of a block load each 32 bytes {:.0f} times; the L1 hit rate is {:.0f} %, and L1 "
                  "cannot serve more loads",
                  ratio(c, GlobalLoadSectors, L2ReadSectors), 100 * ratio(c, L1ReadHits, L1ReadSectors)),
      "let each block load a tile of the data into shared memory once, and each thread compute several results "
      "from the values that it then loads into registers",
      place_of(line));
}

}  // namespace warpwise::perf::rules
