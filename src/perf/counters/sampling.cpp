#include "perf/counters/sampling.h"

#include <algorithm>
#include <bit>

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
  for (unsigned cls = 0; cls < kEdges; ++cls) {
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
  Class& c = classes_[pilot_.cls];
  if (pilot_.rank != 0 || c.samples == c.blocks || c.samples < 2) return;
  in_pieces_ = scaled(1, c.blocks, c.samples);
  for (uint64_t rank = 0; rank < in_pieces_;) {
    const Piece piece = *piece_of({pilot_.cls, rank});
    classes_[piece.cls].blocks += piece.last - piece.first, ++classes_[piece.cls].samples;
    rank = piece.last;
  }
}

std::optional<SamplePlan::Piece> SamplePlan::piece_of(const Place& place) const {
  if (place.cls != pilot_.cls || place.rank >= in_pieces_) return std::nullopt;
  if (place.rank == 0) return Piece{kEdges, 0, 1};
  // The octave, and which half of it.
  const unsigned octave = unsigned(std::bit_width(place.rank)) - 1;
  const uint64_t half = (uint64_t{1} << octave) / 2, upper = octave > 0 ? place.rank >> (octave - 1) & 1 : 0;
  const uint64_t first = (uint64_t{1} << octave) + upper * half, size = std::max<uint64_t>(half, 1);
  const unsigned piece = 1 + 2 * octave + unsigned(upper);
  return Piece{kEdges + std::min(piece, kPieces - 1), first, std::min(in_pieces_, first + size)};
}

unsigned SamplePlan::class_of(uint64_t block) const {
  const Place place = place_of(block);
  const std::optional<Piece> piece = piece_of(place);
  return piece ? piece->cls : place.cls;
}

uint64_t SamplePlan::blocks(unsigned cls) const { return classes_[cls].blocks - (cls == pilot_.cls ? in_pieces_ : 0); }

uint64_t SamplePlan::samples(unsigned cls) const {
  return classes_[cls].samples - (cls == pilot_.cls && in_pieces_ > 0 ? 1 : 0);
}

uint64_t SamplePlan::counted() const {
  uint64_t count = 0;
  for (unsigned cls = 0; cls < kClasses; ++cls) count += samples(cls);
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
  if (const std::optional<Piece> piece = piece_of(place)) {
    const uint64_t size = piece->last - piece->first;
    return piece->first + mix(piece->cls) % size == place.rank ? double(size) : 0;
  }
  const Class& c = classes_[place.cls];
  if (c.samples == c.blocks) return 1;
  // The last run that begins at or before the rank.
  uint64_t run = scaled(place.rank, c.samples, c.blocks);
  while (run + 1 < c.samples && scaled(run + 1, c.blocks, c.samples) <= place.rank) ++run;
  return chosen(c, place.cls, run) == place.rank ? double(blocks(place.cls)) / double(samples(place.cls)) : 0;
}

}  // namespace warpwise::perf
