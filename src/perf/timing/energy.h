// How much energy a launch takes: bytes that each way carries and operations, times the figures of the board
// (device/energy.inc), and what the board takes in any case for as long as the launch lasts.
//
//     DRAM   bytes read and written                                        times picojoules a byte
//     L2     sectors that multiprocessors read and write, atomics
//     L1     sectors of global and local loads and stores, and of cp.async
//     shared wavefronts of 128 bytes, and bulk copies
//     arithmetic: fp32 and fp64 by lanes, matrix products by operations. Integers, special functions and halves outside
//     of tensor cores are charged as fp32: there are no published figures of them.
//
// A figure to compare versions of one problem on one device with; never a condition.
#pragma once

#include "device/energy.h"
#include "perf/timing/predict.h"

namespace warpwise::perf {

struct Energy {
  // Joules.
  double dram = 0, l2 = 0, l1 = 0, shared = 0, arithmetic = 0, idle = 0;
  double joules() const { return dram + l2 + l1 + shared + arithmetic + idle; }
};

// Of a launch with these counts that takes `seconds` on the GPU.
Energy energy_of(const Counts& counts, double seconds, const device::EnergyFigures& figures);

}  // namespace warpwise::perf
