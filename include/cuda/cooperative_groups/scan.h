// Prefix sums over a group (CUDA C++ programming guide, "Cooperative Groups", "scan").
#pragma once

#include "../cuda_runtime.h"
#ifdef __CUDACC__  // host sources (.cpp) get nothing
#include "reduce.h"
#include "../warpwise/begin_device_code.h"

namespace cooperative_groups {
namespace details {

// Hillis and Steele (1986): each step adds the value of the thread `distance` below.
template <class Group, class T, class Operation>
static inline __device__ T scan_up(const Group& group, T value, Operation&& operation) {
  const unsigned int rank = group.thread_rank(), size = group.num_threads();
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = operation(other, value);
  }
  return value;
}
// Each warp scans its own values, then adds the total of the warps before it.
template <unsigned int N, class T, class Operation>
static inline __device__ T scan_up(const block_tile<N>& tile, T value, Operation&& operation) {
  const warp_tile<32> warp;
  value = scan_up(warp, value, operation);
  T all[N / 32];
  tile.from_warps(warp.shfl(value, 31), all);
  const unsigned int mine = tile.thread_rank() / 32;
  if (mine == 0) return value;
  T before = all[0];
  for (unsigned int i = 1; i < mine; ++i) before = operation(before, all[i]);
  return operation(before, value);
}

template <class Group, class T> static inline __device__ T from_below(const Group& group, const T& value) {
  return group.shfl_up(value, 1);
}
template <unsigned int N, class T> static inline __device__ T from_below(const block_tile<N>& tile, const T& value) {
  const warp_tile<32> warp;
  T last[N / 32];
  tile.from_warps(warp.shfl(value, 31), last);
  const T neighbour = warp.shfl_up(value, 1);
  const unsigned int rank = tile.thread_rank();
  return rank % 32 || rank == 0 ? neighbour : last[rank / 32 - 1];
}

// The type that the overloads for tiles use: the tile without its parent.
template <unsigned int N, class P> static inline __device__ const typename tile_of<N>::type& bare(const thread_block_tile<N, P>& tile) { return tile; }
static inline __device__ const coalesced_group& bare(const coalesced_group& group) { return group; }

}  // namespace details

// The combination of the values of all threads up to this one.
template <class Group, class T, class Operation>
static inline __device__ auto inclusive_scan(const Group& group, T&& value, Operation&& operation) -> details::plain_t<T> {
  return details::scan_up(details::bare(group), static_cast<details::plain_t<T>>(value), operation);
}
template <class Group, class T> static inline __device__ auto inclusive_scan(const Group& group, T&& value) -> details::plain_t<T> {
  return inclusive_scan(group, value, plus<details::plain_t<T>>());
}
// … of all threads before this one; the first gets T().
template <class Group, class T, class Operation>
static inline __device__ auto exclusive_scan(const Group& group, T&& value, Operation&& operation) -> details::plain_t<T> {
  const details::plain_t<T> before = details::from_below(details::bare(group), inclusive_scan(group, value, operation));
  return group.thread_rank() == 0 ? details::plain_t<T>() : before;
}
template <class Group, class T> static inline __device__ auto exclusive_scan(const Group& group, T&& value) -> details::plain_t<T> {
  return exclusive_scan(group, value, plus<details::plain_t<T>>());
}

}  // namespace cooperative_groups

#include "../warpwise/end_device_code.h"

#endif  // __CUDACC__
