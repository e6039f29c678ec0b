// What the text of a kernel says about its barriers.
//
// The judge measures that threads miss a barrier, or that no barrier stands between a store to shared memory and a
// load of it; where that is in the source, the counts do not say. And a load right behind a store of the same thread is
// answered from a register, so that it is not even counted:
//
//     tile[t] = a[i];
//     float x = tile[t];      not a load of the program that runs
//     __syncthreads();
//
// Like signature.h this reads the text, in its own order, without macros and calls. So it only explains refusals and
// never causes one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace warpwise::lab {

// Lines, from 1.
struct LoadBeforeBarrier {
  std::string array;
  size_t store = 0, load = 0;
  size_t barrier = 0;  // the first of the function; 0: there is none
};

// The first load of a __shared__ array that no barrier separates from a store before it, in one function.
std::optional<LoadBeforeBarrier> load_before_barrier(const std::string& source);

struct ReturnBeforeBarrier {
  size_t leaves = 0;   // the first `return` in front of the barrier, in the same function; 0: there is none
  size_t barrier = 0;  // the first of the text
};

// Nothing where the text has no barrier.
std::optional<ReturnBeforeBarrier> first_barrier(const std::string& source);

}  // namespace warpwise::lab
