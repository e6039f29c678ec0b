// Reductions over a group of one warp (CUDA C++ programming guide, "Cooperative Groups", "reduce").
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define WARPWISE_OPERATION(name, expression)                                                           \
  template <class T = void> struct name {                                                              \
    __device__ T operator()(const T& a, const T& b) const { return expression; }                       \
  };
WARPWISE_OPERATION(plus, a + b)
WARPWISE_OPERATION(less, b < a ? b : a)
WARPWISE_OPERATION(greater, a < b ? b : a)
WARPWISE_OPERATION(bit_and, a & b)
WARPWISE_OPERATION(bit_or, a | b)
WARPWISE_OPERATION(bit_xor, a ^ b)
#undef WARPWISE_OPERATION

// Every thread gets the result. A tile halves its distance with each exchange.
template <unsigned int N, class Parent, class T, class Operation>
static inline __device__ T reduce(const thread_block_tile<N, Parent>& tile, T value, Operation operation) {
#pragma unroll
  for (unsigned int distance = N / 2; distance > 0; distance /= 2) value = operation(value, tile.shfl_xor(value, distance));
  return value;
}
// A coalesced group may have any size: each step adds the value of the thread `distance` above, and the first
// thread ends with them all.
template <class T, class Operation>
static inline __device__ T reduce(const coalesced_group& group, T value, Operation operation) {
  const unsigned int rank = group.thread_rank(), size = group.size();
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < size) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace cooperative_groups
