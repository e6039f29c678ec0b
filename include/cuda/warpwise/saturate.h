// Conversion of a rounded float to an integer as the hardware does it: out of range the nearest, NaN 0 or, of 64
// bits, the highest bit alone (PTX ISA, "cvt").
#pragma once

namespace warpwise_cuda {
template <class I> static inline __host__ __device__ __attribute__((always_inline)) I saturate(float f, float low, float high) {
  constexpr I smallest = static_cast<I>(-1) < 0 ? static_cast<I>(static_cast<I>(1) << (sizeof(I) * 8 - 1)) : static_cast<I>(0);
  return f != f ? (sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I(0)) : f <= low ? smallest : f >= high ? static_cast<I>(~smallest) : static_cast<I>(f);
}
}  // namespace warpwise_cuda
