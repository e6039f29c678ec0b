// Prefix sums over a group of one warp (CUDA C++ programming guide, "Cooperative Groups", "scan").
#pragma once

#include "reduce.h"

namespace cooperative_groups {

// The combination of the values of all threads up to this one (Hillis and Steele, 1986).
template <class Group, class T, class Operation>
static inline __device__ T inclusive_scan(const Group& group, T value, Operation operation) {
  const unsigned int rank = group.thread_rank(), size = group.num_threads();
  for (unsigned int distance = 1; distance < size; distance *= 2) {
    const T other = group.shfl_up(value, distance);
    if (rank >= distance) value = operation(other, value);
  }
  return value;
}
template <class Group, class T> static inline __device__ T inclusive_scan(const Group& group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
// … of all threads before this one; the first gets T().
template <class Group, class T, class Operation>
static inline __device__ T exclusive_scan(const Group& group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T> static inline __device__ T exclusive_scan(const Group& group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
