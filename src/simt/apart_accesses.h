// Accesses through one parameter that reach different bytes in different threads of a launch, if the launch's numbers
// are as they mostly are.
//
//     c[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;       // in blocks of 16 x 16
//
//     4 bytes   16 of them by threadIdx.x: 4 apart       1,024 of them by blockIdx.y: 64 n apart
//               16 by threadIdx.y: 4 n apart             … by blockIdx.x: 64 apart
//
// No two threads share a byte if these distances nest: each is at least as long as all that lies within it, here
// 4, 64, 4 n, 64 n if n is at least 16 * gridDim.x. Only the launch knows n and gridDim, so the compiler gives the
// distances as sums of parameters, and the race checker asks when a launch begins (check/race/apart_memory.h).
//
//     for (int i = threadIdx.x; i < n; i += 256) y[blockIdx.x * n + i] = x;
//
// A loop adds any multiple of its step. The threads of a block are apart if theirs nest within one step, 4 in 1,024;
// the blocks are if they are as far from each other as the loop reaches, here 4 n.
#pragma once

#include <cstdint>
#include <vector>

#include "simt/launch_assumptions.h"

namespace warpwise::simt {

// A number of the launch: the sum of factors, each times a parameter of the kernel or 1.
struct LaunchSum {
  struct Part {
    int64_t factor = 0;
    uint8_t bytes = 0;    // of the parameter, 4 or 8; 0: the factor alone
    uint32_t offset = 0;  // where it lies among the parameters, in bytes
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;  // one for each parameter

  void add(const Part& part) {
    if (part.factor == 0) return;
    for (Part& known : parts)
      if (known.bytes == part.bytes && known.offset == part.offset) {
        known.factor = int64_t(uint64_t(known.factor) + uint64_t(part.factor));
        return;
      }
    parts.push_back(part);
  }
  bool operator==(const LaunchSum&) const = default;
};

// All that the kernel does with memory through one of its parameters: plain loads and stores of whole words, at
//
//     parameter + one of `offsets` + threadIdx * by_thread + blockIdx * by_block + any multiple of `modulus`
struct ApartAccesses {
  uint8_t pointer = 0;   // index of the PointedTo
  uint32_t bytes = 0;    // of the widest access
  uint64_t modulus = 0;  // 0: nothing more
  // Where it has parts: so much, and no less than 0, is what threadIdx and multiples of the modulus add together.
  LaunchSum reach;
  uint64_t wrap = 0;                // ... and all others may add any multiple of this
  uint32_t threads[3] = {1, 1, 1};  // of the block that access it: one of them, or all
  LaunchSum by_thread[3], by_block[3];
  std::vector<LaunchSum> offsets;
  LaunchRanges assumed;  // true of launches with these numbers alone
  bool operator==(const ApartAccesses&) const = default;
};

}  // namespace warpwise::simt
