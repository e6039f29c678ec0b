// Conversion of a rounded float to an integer as in hardware: out of range the nearest; NaN becomes 0 or, for 64 bits,
// the highest bit alone (PTX ISA, "cvt"). Also the comparison that directed roundings of integers need.
#pragma once

namespace warpwise_cuda {
template <class I> static inline __host__ __device__ __attribute__((always_inline)) I saturate(float f) {
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  constexpr I smallest = is_signed ? static_cast<I>(static_cast<I>(1) << (sizeof(I) * 8 - 1)) : static_cast<I>(0);
  // The first power of two that is too large, and the smallest number, which is also a power of two.
  const float high = static_cast<float>(1ull << (sizeof(I) * 8 - 1)) * (is_signed ? 1.0f : 2.0f), low = is_signed ? -high : 0.0f;
  return f != f ? (sizeof(I) == 8 ? static_cast<I>(1ull << 63) : I(0)) : f <= low ? smallest : f >= high ? static_cast<I>(~smallest) : static_cast<I>(f);
}

// Whether the rounded float lies above the integer (1), below it (-1) or equals it (0).
template <class I> static inline __host__ __device__ __attribute__((always_inline)) int beside(float f, I i) {
  constexpr bool is_signed = static_cast<I>(-1) < static_cast<I>(0);
  if (f >= (is_signed ? 0x1p63f : 0x1p64f)) return 1;
  if (is_signed && f < -0x1p63f) return -1;
  const auto exact = is_signed ? static_cast<unsigned long long>(static_cast<long long>(f)) : static_cast<unsigned long long>(f);
  const auto wanted = static_cast<unsigned long long>(i);
  if (exact == wanted) return 0;
  return (is_signed ? static_cast<long long>(exact) > static_cast<long long>(wanted) : exact > wanted) ? 1 : -1;
}
}  // namespace warpwise_cuda
