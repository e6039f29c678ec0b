#include "perf/report/limited_by.h"

#include <fmt/format.h>

#include <algorithm>

#include "perf/report/format.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// Accesses that touch so many times the sectors that would hold their data are not coalesced.
constexpr double kScattered = 1.3;
// Above these shares the L1 hit rate, or the bank conflicts among shared-memory wavefronts, are named as the reason.
constexpr double kMostly = 0.5, kConflicting = 0.2;

// Of a warp's access to global memory: the sectors that it touches, and those that would hold its data.
struct Sectors {
  double touched = 0, ideal = 0;
  bool scattered() const { return touched > kScattered * ideal; }
};
Sectors sectors_of(const Counts& c) {
  const double requests = std::max(1.0, double(c[GlobalLoadRequests] + c[GlobalStoreRequests]));
  return {double(c[GlobalLoadSectors] + c[GlobalStoreSectors]) / requests,
          double(c[GlobalLoadIdealSectors] + c[GlobalStoreIdealSectors]) / requests};
}

std::string scattered_words(const Sectors& s) {
  return fmt::format("the threads of a warp touch {:.1f} sectors of 32 bytes where {:.1f} would hold their data",
                     s.touched, s.ideal);
}

}  // namespace

std::string limited_by(const KernelReport& k) {
  const Prediction& p = k.prediction;
  if (p.limiter.kind != Limit::Kind::Resource) return limiter_words(p);
  const Counts& c = k.launch.totals;
  const Sectors sectors = sectors_of(c);
  const double hits = ratio(c, L1ReadHits, L1ReadSectors);
  const double wavefronts = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
               conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
  switch (p.limiter.resource) {
    case Resource::L1:
      if (sectors.scattered())
        return fmt::format(
            "accesses to global memory that are not coalesced: {}, and all of them pass through the L1 cache, which "
            "cannot serve more",
            scattered_words(sectors));
      if (hits > kMostly)
        return fmt::format(
            "repeated loads of the same global data: {} of them hit the L1 cache, which cannot serve more loads per "
            "clock",
            percent_text(hits));
      break;
    case Resource::L2:
    case Resource::L2Port:
    case Resource::Dram:
      if (sectors.scattered())
        return fmt::format("{}, and accesses to global memory that are not coalesced waste it: {}", limiter_words(p),
                           scattered_words(sectors));
      break;
    case Resource::Shared:
      if (conflicts > kConflicting * wavefronts)
        return fmt::format(
            "bank conflicts in shared memory: {} of its wavefronts are needed only because threads of a warp access "
            "different words of one bank",
            percent_text(conflicts / wavefronts));
      break;
    default:
      break;
  }
  return limiter_words(p);
}

}  // namespace warpwise::perf
