// The building blocks of cooperative_groups.h: a thread's position, and the exchange of values of any size between
// threads.
#pragma once

#define WARPWISE_CG static inline __attribute__((device, always_inline))
#define WARPWISE_CGM __attribute__((device, always_inline)) inline

namespace cooperative_groups {
namespace details {

WARPWISE_CG unsigned int lane() { return __nvvm_read_ptx_sreg_laneid(); }
WARPWISE_CG unsigned int lanes_below() { return (1u << lane()) - 1; }
WARPWISE_CG unsigned int thread_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
WARPWISE_CG unsigned int threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
WARPWISE_CG unsigned long long block_in_grid() {
  return (static_cast<unsigned long long>(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
WARPWISE_CG unsigned long long blocks_of_grid() {
  return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
}
// The lane of mask's n-th set bit, counted from 0.
WARPWISE_CG unsigned int nth_lane(unsigned int mask, unsigned int n) { return __fns(mask, 0, static_cast<int>(n) + 1); }
// The lanes of this thread's group of n neighbours, n a power of two up to 32.
WARPWISE_CG unsigned int neighbours(unsigned int n) {
  return (n >= 32 ? 0xffffffffu : (1u << n) - 1) << (lane() & ~(n - 1));
}

// A value of any size, 32 bits at a time.
template <class T, class Exchange> WARPWISE_CG T exchange(const T& value, Exchange how) {
  constexpr int words = (sizeof(T) + 3) / 4;
  unsigned int bits[words] = {};
  __builtin_memcpy(bits, &value, sizeof(T));
#pragma unroll
  for (int i = 0; i < words; ++i) bits[i] = how(bits[i]);
  T result;
  __builtin_memcpy(&result, bits, sizeof(T));
  return result;
}

template <class T> struct plain { using type = T; };
template <class T> struct plain<T&> { using type = T; };
template <class T> struct plain<T&&> { using type = T; };
template <class T> struct plain<const T&> { using type = T; };
template <class T> struct plain<const T> { using type = T; };
template <class T> using plain_t = typename plain<T>::type;

}  // namespace details
}  // namespace cooperative_groups
