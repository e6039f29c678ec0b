// Reductions over a group (CUDA C++ programming guide, "Cooperative Groups", "reduce").
#pragma once

#include "../cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "../cooperative_groups.h"
#include "../warpwise/begin_device_code.h"

namespace cooperative_groups {

#define WARPWISE_OPERATION(name, expression)                                                           \
  template <class T = void> struct name {                                                              \
    __device__ T operator()(const T& a, const T& b) const { return expression; }                       \
  };                                                                                                   \
  template <> struct name<void> {                                                                      \
    template <class T> __device__ T operator()(const T& a, const T& b) const { return expression; }    \
  };
WARPWISE_OPERATION(plus, a + b)
WARPWISE_OPERATION(less, b < a ? b : a)
WARPWISE_OPERATION(greater, a < b ? b : a)
WARPWISE_OPERATION(bit_and, a & b)
WARPWISE_OPERATION(bit_or, a | b)
WARPWISE_OPERATION(bit_xor, a ^ b)
#undef WARPWISE_OPERATION

namespace details {

// A tile of a warp halves its distance with each exchange.
template <unsigned int N, class T, class Operation>
static inline __device__ T combine(const warp_tile<N>& tile, T value, Operation&& operation) {
#pragma unroll
  for (unsigned int distance = N / 2; distance > 0; distance /= 2) value = operation(value, tile.shfl_xor(value, distance));
  return value;
}
// A tile of several warps combines the results of its warps.
template <unsigned int N, class T, class Operation>
static inline __device__ T combine(const block_tile<N>& tile, T value, Operation&& operation) {
  T all[N / 32];
  tile.from_warps(combine(warp_tile<32>(), value, operation), all);
  T result = all[0];
  for (unsigned int warp = 1; warp < N / 32; ++warp) result = operation(result, all[warp]);
  return result;
}
// A coalesced group may have any size: each step adds the value of the thread `distance` above, and the first
// thread ends with them all.
template <class T, class Operation>
static inline __device__ T combine(const coalesced_group& group, T value, Operation&& operation) {
  const unsigned int rank = group.thread_rank(), size = group.size();
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_down(value, distance);
    if (rank % (2 * distance) == 0 && rank + distance < size) value = operation(value, other);
  }
  return group.shfl(value, 0);
}

}  // namespace details

// Every thread gets the result.
template <class Group, class T, class Operation>
static inline __device__ auto reduce(const Group& group, T&& value, Operation&& operation) -> details::plain_t<T> {
  return details::combine(group, static_cast<details::plain_t<T>>(value), operation);
}

}  // namespace cooperative_groups

#include "../warpwise/end_device_code.h"

#endif  // __CUDACC__
