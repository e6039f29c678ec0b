#include "perf/counters/sampling.h"

#include <algorithm>

namespace warpwise::perf {

namespace {

// The fewest blocks of a class that are counted, if it has as many.
constexpr uint64_t kLeast = 4;

uint64_t mix(uint64_t x) {  // the finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014)
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

uint64_t scaled(uint64_t a, uint64_t b, uint64_t c) { return uint64_t(static_cast<unsigned __int128>(a) * b / c); }

}  // namespace

SamplePlan::SamplePlan(const device::Dim3& grid, uint64_t pilot, uint64_t samples) : grid_{grid.x, grid.y, grid.z} {
  const uint64_t all = grid.count();
  for (unsigned cls = 0; cls < kClasses; ++cls) {
    Class& c = classes_[cls];
    c.blocks = 1;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool last = cls >> axis & 1;
      // An axis of one block has no edge.
      c.extent[axis] = grid_[axis] == 1 ? (last ? 0 : 1) : last ? 1 : grid_[axis] - 1;
      c.blocks *= c.extent[axis];
    }
    c.samples = std::min(c.blocks, std::max(kLeast, scaled(c.blocks, samples, all)));
  }
  pilot_ = place_of(pilot);
}

uint64_t SamplePlan::counted() const {
  uint64_t count = 0;
  for (const Class& c : classes_) count += c.samples;
  return count;
}

SamplePlan::Place SamplePlan::place_of(uint64_t block) const {
  const std::array<uint64_t, 3> at{block % grid_[0], block / grid_[0] % grid_[1], block / grid_[0] / grid_[1]};
  Place place{0, 0};
  for (unsigned axis = 0; axis < 3; ++axis)
    if (grid_[axis] > 1 && at[axis] == grid_[axis] - 1) place.cls |= 1u << axis;
  for (unsigned axis = 3; axis-- > 0;)
    place.rank = place.rank * classes_[place.cls].extent[axis] + (place.cls >> axis & 1 ? 0 : at[axis]);
  return place;
}

// Run k of a class is the ranks from k * blocks / samples to those of run k + 1.
uint64_t SamplePlan::chosen(const Class& c, unsigned cls, uint64_t run) const {
  const uint64_t first = scaled(run, c.blocks, c.samples), last = scaled(run + 1, c.blocks, c.samples);
  if (pilot_.cls == cls && pilot_.rank >= first && pilot_.rank < last) return pilot_.rank;
  return first + mix(run + 1) % (last - first);
}

double SamplePlan::weight(uint64_t block) const {
  const Place place = place_of(block);
  const Class& c = classes_[place.cls];
  if (c.samples == c.blocks) return 1;
  // The last run that begins at or before the rank.
  uint64_t run = scaled(place.rank, c.samples, c.blocks);
  while (run + 1 < c.samples && scaled(run + 1, c.blocks, c.samples) <= place.rank) ++run;
  return chosen(c, place.cls, run) == place.rank ? double(c.blocks) / double(c.samples) : 0;
}

}  // namespace warpwise::perf
