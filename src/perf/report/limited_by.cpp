#include "perf/report/limited_by.h"

#include <fmt/format.h>

#include <algorithm>

#include "perf/report/format.h"

namespace warpwise::perf {
namespace {

using enum Counter;

// Accesses that touch so many times the sectors that would hold their data are not coalesced.
constexpr double kScattered = 1.3;
// So much of shared memory's passes lost to conflicts, or of what is read found in L1, is what to speak of.
constexpr double kMostly = 0.5, kConflicts = 0.2;

// Of a warp's access to global memory: the sectors it touches, and those that would hold its data.
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
  const double passes = double(c[SharedLoadWavefronts] + c[SharedStoreWavefronts]),
               conflicts = double(c[SharedLoadConflicts] + c[SharedStoreConflicts]);
  switch (p.limiter.resource) {
    case Resource::L1:
      if (sectors.scattered())
        return fmt::format(
            "accesses to global memory that are not coalesced: {}, and the L1 cache, which all of them pass, cannot "
            "serve more",
            scattered_words(sectors));
      if (hits > kMostly)
        return fmt::format(
            "its loads of global memory: the same data are read again and again, and the L1 cache, which has {} of "
            "them, cannot serve more loads in a clock",
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
      if (conflicts > kConflicts * passes)
        return fmt::format(
            "bank conflicts in shared memory: {} of its passes are needed only because threads of a warp want "
            "different words of one bank",
            percent_text(conflicts / passes));
      break;
    default:
      break;
  }
  return limiter_words(p);
}

}  // namespace warpwise::perf
