#include "trace/step_bucket.h"

#include <bit>

#include "trace/cost.h"

namespace warpwise::trace {

Bucket bucket_of(const Step& step, const Site& site, uint32_t threads) {
  using F = OverviewField;
  Bucket bucket;
  bucket[F::Steps] = 1;
  bucket[F::Lanes] = unsigned(std::popcount(step.active)), bucket[F::OnLanes] = unsigned(std::popcount(step.on));
  bucket[F::Partial] = bucket[F::Lanes] < threads;
  bucket[F::Diverging] = site.kind == SiteKind::Branch && step.on != 0 && step.on != step.active;
  bucket[F::Barriers] = site.kind == SiteKind::Barrier && step.on != 0;
  if (step.accesses.empty()) return bucket;
  const Cost cost = cost_of(site, step);
  bucket[F::Accesses] = 1;
  bucket[F::Sectors] = cost.sectors, bucket[F::IdealSectors] = cost.ideal_sectors;
  bucket[F::Wavefronts] = cost.wavefronts, bucket[F::IdealWavefronts] = cost.ideal_wavefronts;
  bucket[F::Atomics] = site.kind == SiteKind::Atomic || site.kind == SiteKind::Reduction;
  return bucket;
}

}  // namespace warpwise::trace
