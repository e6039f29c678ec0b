#include "perf/report/meters.h"

#include <algorithm>

namespace warpwise::perf {
namespace {

constexpr double kVisible = 0.02;

}  // namespace

std::vector<Meter> meters_of(const Prediction& p) {
  std::vector<Meter> meters;
  const double l1 = p.of(Resource::L1), shared = p.of(Resource::Shared);
  const bool one_pipe = l1 >= kVisible && shared >= kVisible;
  for (Group group : {Group::Compute, Group::Memory}) {
    const bool compute = group == Group::Compute;
    meters.push_back({compute ? "compute" : "memory", compute ? p.compute_of_peak : p.memory_of_peak, group, 0});
    if (!compute && one_pipe) {
      meters.push_back({"L1 + shared memory", std::min(1.0, l1 + shared), group, 1});
      for (Resource r : {Resource::L1, Resource::Shared}) meters.push_back({info_of(r).name, p.of(r), group, 2});
    }
    for (unsigned i = 0; i < kResources; ++i) {
      const auto r = static_cast<Resource>(i);
      if (info_of(r).group != group || p.utilization[i] < kVisible) continue;
      if (one_pipe && (r == Resource::L1 || r == Resource::Shared)) continue;
      meters.push_back({info_of(r).name, p.utilization[i], group, 1});
    }
  }
  return meters;
}

}  // namespace warpwise::perf
