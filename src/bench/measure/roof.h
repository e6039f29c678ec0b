// The least time that a computation can take on a device: what it must move by the bandwidth of memory, or what it must
// calculate by the peak of the pipe, whichever is longer.
//
//     Williams, Waterman and Patterson, "Roofline: an insightful visual performance model", CACM 52 (2009).
#pragma once

#include "bench/ladder/ladder.h"
#include "device/properties.h"

namespace warpwise::bench {

// Floating-point operations per second, an fma being two; 0: the device has no such pipe.
double peak_of(Unit unit, const device::Properties& device);

struct Roof {
  double bytes = 0, flops = 0;
  double memory_seconds = 0, compute_seconds = 0;
  double seconds() const { return memory_seconds > compute_seconds ? memory_seconds : compute_seconds; }
  bool by_memory() const { return memory_seconds >= compute_seconds; }
};
Result<Roof> roof_of(const Ladder& ladder, const Shape& shape, const device::Properties& device);
// The same of a version, which may say that it calculates other things elsewhere.
Result<Roof> roof_of(const Version& version, const Ladder& ladder, const Shape& shape,
                     const device::Properties& device);

}  // namespace warpwise::bench
