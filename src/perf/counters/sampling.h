// Which blocks of a launch are counted, and for how many each of them stands.
//
// A large grid does the same thing many times, and what it does differently it mostly does at its edges. So blocks fall
// into classes: the last one in x, in y, in z, each combination a class of its own, and the rest. Every class is
// sampled by itself, spread evenly: cut into as many runs as there are samples, of each run one block, at a place that
// varies from run to run, so that a period of the grid does not coincide with one of the sample. The choice depends on
// the grid alone: the same launch is always sampled alike.
//
// Where only the first blocks have work, the first block of all, which has been counted already, must not stand for a
// long run: a grid of 100,000 blocks for the work of 391, of which it stood for 3,128. So the run that it begins is cut
// in two pieces to the octave, and each is a class of its own, with one sample:
//
//     block    0 | 1 | 2 | 3 | 4 5 | 6 7 | 8 to 11 | ...      each has at most half as many blocks as come before it
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "device/device.h"

namespace warpwise::perf {

class SamplePlan {
 public:
  static constexpr unsigned kEdges = 8, kPieces = 28, kClasses = kEdges + kPieces;

  // `pilot` has been counted already (a linear index) and is one of the sample. At most about `samples` blocks are
  // counted.
  SamplePlan(const device::Dim3& grid, uint64_t pilot, uint64_t samples);

  // For how many blocks this one stands; 0: it is not counted.
  double weight(uint64_t block) const;
  unsigned class_of(uint64_t block) const;
  uint64_t blocks(unsigned cls) const;
  uint64_t samples(unsigned cls) const;
  uint64_t counted() const;

 private:
  struct Class {
    uint64_t blocks = 0, samples = 0;
    std::array<uint64_t, 3> extent{};
  };
  struct Place {
    unsigned cls;
    uint64_t rank;  // in its class, x fastest
  };
  Place place_of(uint64_t block) const;
  // Of a block in the run that the first block begins: its piece, and the ranks that this has.
  struct Piece {
    unsigned cls;
    uint64_t first, last;
  };
  std::optional<Piece> piece_of(const Place& place) const;
  uint64_t chosen(const Class& c, unsigned cls, uint64_t run) const;  // the rank that stands for a run

  std::array<uint64_t, 3> grid_;
  std::array<Class, kClasses> classes_;
  Place pilot_{};
  uint64_t in_pieces_ = 0;  // blocks of the run that is cut
};

}  // namespace warpwise::perf
