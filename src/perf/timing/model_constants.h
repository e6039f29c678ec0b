// Constants of the model that hold for every GPU, or for every GPU of an architecture, and are not in a datasheet.
#pragma once

#include <cstdint>

#include "device/properties.h"

namespace warpwise::perf {

// L2 of one part, or of two halves that each serve the multiprocessors next to them (A100 whitepaper, "A100 L2 Cache";
// ncu counts the traffic between them on an H200).
inline unsigned l2_parts(const device::Properties& device) {
  const bool large = (device.major == 8 && device.minor == 0) || device.major == 9 || device.major == 10;
  return large ? 2 : 1;
}

// L2 of an H200 has a clock of its own, which a faster core does not speed up, and what passes through both of its
// halves (counters/launch_state.cpp) takes time in both. At 1.98 GHz of the core 40 MB of stores, 25 and 60 MB of loads
// and stores (kernels of HeCBench that memory does not limit) make 60, 38 and 90 MB of sectors at L2 by ncu, and pass
// at 7.5, 7.1 and 7.2 TB/s. An H100 is assumed to be alike.
inline bool l2_has_own_clock(const device::Properties& device) { return device.major == 9; }
inline constexpr double kL2BytesPerNs = 7300;

// Nanoseconds of a turn of atomics at a slice of L2 (counters/atomic_turns.h has what was measured, on an H200; its L2
// runs at 1.68 GHz under ncu and at 1.71 otherwise). Other GPUs are assumed to be alike.
inline constexpr double kSliceTurnNs = 0.185;

// And of a store that fills part of a sector, which its slice must combine with the rest: stores of 4 bytes to sectors
// of their own (`naive` of kernels/ladders/transpose, 1024² and 4096², on an H200) pass at 96 slices with 1.6 ns each.
inline constexpr double kPartStoreNs = 1.5;

// Where a store touches several sectors of a line in part, each of them takes half of that: 4 bytes of each 16 or 32 in
// a row pass with 0.77 and 0.93 ns, and random words of 4 MB with 1.2.
inline constexpr double kPartStoreInRow = 0.5;

// Atomics lie on slices as by chance: those at the busiest place take so much longer as all of them take at 73 % of the
// slices. On an H200, 8 pieces of 512 bytes are served as fast as 7.6 slices do it, 32 and 64 as 22 and 29, and 256
// and 1024 as 72.
inline constexpr double kEvenAtomics = 0.73;

// But no multiprocessor stores more than one of these in so many clocks, however idle the slices are: those 132 store
// one each in 3.1 clocks of 1.5 GHz, and 32 of them in a kernel of HeCBench do in 3.9 with a line to load beside each.
inline constexpr double kPartStore = 3.1;

// Constants. The cache of an SM serves a word in two clocks: on an H200, 32 warps that load one word each take 66
// clocks (1 per instruction of a load by register), and 16 warps whose lanes load 32 words each 1023. It holds 2 KB in
// lines of 64 bytes. A line that it does not hold takes 40 ns from the cache behind it (79 to 85 clocks: words 64 bytes
// apart in 4 to 64 KB, one after the other), and 57 more when an SM reads it for the first time. Warps of different
// blocks do not share what comes: it comes at 50 clocks a load (64 warps that read 4 or 64 KB from the beginning to the
// end).
inline constexpr double kConstantPass = 2, kConstantLine = 82, kConstantMiss = 50;
inline constexpr double kConstantFirstNs = 57, kConstantNs = 40, kConstantLinesHeld = 32;

// A multiprocessor sends a request to L2, for up to four sectors of a line, in so many clocks. On an H200, random loads
// of 4 bytes from 1 to 16 MB, 16384 of a multiprocessor, take 1.6 to 2.0 each.
inline constexpr double kLineRequest = 1.6;

// The part of the launch time that counts as time of the kernel: the shortest kernel with a load and a store
// (examples/scan `add_totals`, two blocks) lasts 2.27 us under ncu on an H200, of which one latency of memory and one
// of L2 (903 clocks) are 0.61.
inline constexpr double kStartNs = 1660;

// Instructions come from memory when a kernel begins: the first after its latency, and each basic block that a warp
// jumps to after so many nanoseconds more; code in a row is prefetched. By ncu's "no instruction" and "imc miss" of 39
// kernels of HeCBench (docs/model.md) that take less than 30 us, 365 clocks at 1.5 GHz and 9.1 for each block of PTX
// that has run.
inline constexpr double kFetchNs = 6;

// What is fetched ahead does not last for long code: behind so many instructions each that has run once takes so many
// nanoseconds more. By the same counters of two kernels of HeCBench that run through 6200 and 6900 instructions, most
// of them once: 4.2 and 8.1 clocks of waiting for each instruction, and 22 and 27 us in all; kernels of up to 1000
// instructions wait no longer than short ones.
inline constexpr double kFetchedAhead = 1000, kFetchFarNs = 4.3;

// And what long loops run again (LatencyProfile::code_again) comes at so many clocks an instruction: on an H200, loops
// of 8192 multiply-adds take a warp alone 3 clocks an instruction more than short ones, 8 warps 2, and 32 six.
inline constexpr double kFetchAgain = 2.5;

// Clocks from the start of one block of a grid to that of the next, and those that the barrier unit of an SM takes for
// a warp that arrives. Measured on an H200: 1,320,000 empty blocks of 32 to 256 threads start 1.65 a nanosecond at 1.98
// GHz; barriers of 16 and of 32 warps take 2.8 and 2.4 clocks a warp. Other GPUs are assumed to be alike.
inline constexpr double kBlockStart = 1.2;
inline constexpr double kBarrierWarp = 2.4;

// Clocks from the end of a block until the next one begins in its place on an SM. Measured on an H200: empty
// blocks of 1024 threads, of which an SM holds two, begin 1.468 a nanosecond at 1.98 GHz: 356 clocks from one to the
// next in a place, some fifty of which are the block's own.
inline constexpr double kBlockTurn = 300;

// The cost of host calls: to submit a command, and from the end of the command that the host waited for until the next
// one can begin. Estimates, after the kernels of NVIDIA's "Getting Started with CUDA Graphs"
// (developer.nvidia.com/blog/cuda-graphs, a V100): 2.9 us each, 9.6 with a wait behind each; a launch has 2.5 of the
// rest (Machine::launch_ns). A host does not submit kernels faster than one in 2 us.
inline constexpr uint64_t kSubmitNs = 2000, kWakeNs = 4200;

// A fill of memory takes so long beside its bytes, a single word less; and two events around commands tell so much more
// than these take. On an H200, between two events behind a kernel that keeps the GPU busy: nothing 1.28 us, a fill of 4
// bytes 2.08 and of 4096 2.69, an empty kernel 2.66, of which ncu tells 1.66, ten of them 17.4; and reads of 1 to 512
// MB 0.4 to 1.2 more than ncu tells.
inline constexpr double kFillWordNs = 800, kFillNs = 1400, kEventsNs = 1000;
inline constexpr uint64_t kFilledAtOnce = 4;

}  // namespace warpwise::perf
