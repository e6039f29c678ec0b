// What the model takes to be so on every GPU, or on every one of an architecture, and is no figure of a datasheet.
#pragma once

#include <cstdint>

#include "device/properties.h"

namespace warpwise::perf {

// L2 of one part, or of two halves that each serve the multiprocessors next to them (A100 whitepaper, "A100 L2 Cache"; ncu counts the
// traffic between them on an H200).
inline unsigned l2_parts(const device::Properties& device) {
  const bool large = (device.major == 8 && device.minor == 0) || device.major == 9 || device.major == 10;
  return large ? 2 : 1;
}

// Clocks between atomics that take turns at a slice of L2. One since Kepler, says its whitepaper ("Atomic Operations"). On an H200 2.4 fit:
// of 300,007 additions to 256 skewed bins (examples/histogram `histogram_global`, 107 us) the line of the first 32 bins takes 67,000
// turns; and 3,907 blocks that add to one word (examples/reduction) need no more than 6 us. The others are taken to be like it.
inline constexpr double kAtomicTurn = 2.4;

// Of the time to launch a kernel, the part that counts as the kernel's own: the shortest kernel with a load and a store (examples/scan
// `add_totals`, two blocks) lasts 2.27 us under ncu on an H200, of which one latency of memory and one of L2 (903 clocks) are 0.61.
inline constexpr double kStartNs = 1660;

// Clocks from the start of one block of a grid to that of the next. An estimate: of the launches that docs/model.md lays beside an H200
// none starts more than 0.63 blocks a clock (examples/vecadd, whose memory alone would allow 1.4), and the schedulers of published
// simulators start one.
inline constexpr double kBlockStart = 1;

// What a host's calls cost: to submit a command, and from the end of what it waits for until what it submits next can begin. Estimates,
// after the kernels of NVIDIA's "Getting Started with CUDA Graphs" (developer.nvidia.com/blog/cuda-graphs, a V100): 2.9 us each, 9.6 with a
// wait behind each; a launch has 2.5 of the rest (Machine::launch_ns). A host does not submit kernels faster than one in 2 us.
inline constexpr uint64_t kSubmitNs = 2000, kWakeNs = 4200;

}  // namespace warpwise::perf
