#include "trace/cost.h"

#include "perf/counters/pricing.h"

namespace warpwise::trace {

using perf::Reached;

Cost& Cost::operator+=(const Cost& o) {
  requests += o.requests, sectors += o.sectors, ideal_sectors += o.ideal_sectors, wavefronts += o.wavefronts,
      ideal_wavefronts += o.ideal_wavefronts, words += o.words, bytes += o.bytes;
  return *this;
}

Cost cost_of(const Site& site, const Access& access) {
  const Reached where = access.space == Space::Shared  ? Reached::Shared
                        : access.space == Space::Local ? Reached::Local
                                                       : Reached::Global;
  std::array<perf::AccessSums<uint64_t>, perf::kReached> sums{};
  const perf::LaneAccess lanes{access.mask, access.addresses.data(), site.access.bytes};
  perf::price_in(where, site.access, {.combined = site.lanes_combine, .shared = site.shared_atomic}, lanes, 0, sums,
                 nullptr);
  const auto& sum = sums[size_t(where)];
  Cost cost;
  cost.requests = sum.requests, cost.bytes = sum.bytes;
  if (access.space == Space::Const)
    cost.words = sum.cost;
  else if (access.space == Space::Shared)
    cost.wavefronts = sum.cost, cost.ideal_wavefronts = sum.ideal;
  else
    cost.sectors = sum.cost, cost.ideal_sectors = sum.ideal;
  return cost;
}

Cost cost_of(const Site& site, const Step& step) {
  Cost cost;
  for (const Access& access : step.accesses) cost += cost_of(site, access);
  return cost;
}

}  // namespace warpwise::trace
