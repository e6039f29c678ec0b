// Which blocks of a launch are counted, and for how many each of them stands.
//
// A large grid does the same thing many times, and what it does differently it mostly does at its edges. So blocks fall
// into classes: the last one in x, in y, in z, each combination a class of its own, and the rest. Every class is
// sampled by itself, spread evenly: cut into as many runs as there are samples, of each run one block, at a place that
// varies from run to run, so that a period of the grid does not coincide with one of the sample. The choice depends on
// the grid alone: the same launch is always sampled alike.
#pragma once

#include <array>
#include <cstdint>

#include "device/device.h"

namespace warpwise::perf {

class SamplePlan {
 public:
  static constexpr unsigned kClasses = 8;

  // `pilot` has been counted already (a linear index) and is one of the sample. At most about `samples` blocks are
  // counted.
  SamplePlan(const device::Dim3& grid, uint64_t pilot, uint64_t samples);

  // For how many blocks this one stands; 0: it is not counted.
  double weight(uint64_t block) const;
  unsigned class_of(uint64_t block) const { return place_of(block).cls; }
  uint64_t blocks(unsigned cls) const { return classes_[cls].blocks; }
  uint64_t samples(unsigned cls) const { return classes_[cls].samples; }
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
  uint64_t chosen(const Class& c, unsigned cls, uint64_t run) const;  // the rank that stands for a run

  std::array<uint64_t, 3> grid_;
  std::array<Class, kClasses> classes_;
  Place pilot_{};
};

}  // namespace warpwise::perf
