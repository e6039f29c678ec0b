// How large a block is that holds a row of layer norm or RMS norm in registers: four vectors of 16 bytes per thread.
#pragma once

#include <type_traits>

#include "../parts/row_registers.h"

constexpr int kHeld = 4;

// Calls `run` with the number of threads as a constant, the least that holds `count` vectors.
template <class Run>
void with_block_size(int count, Run run) {
  if (count <= 64 * kHeld)
    run(std::integral_constant<int, 64>());
  else if (count <= 256 * kHeld)
    run(std::integral_constant<int, 256>());
  else
    run(std::integral_constant<int, 1024>());
}
