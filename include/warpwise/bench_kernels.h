// The kernels of a worker of `warpwise bench` and the numbers they work with: inputs from a seed, outputs against those
// of the reference, and what stands between two runs.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "warpwise/bench_protocol.h"

namespace warpwise::bench_worker {

// --- numbers -------------------------------------------------------------------------------------------------------

// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014) of a position.
inline __host__ __device__ uint64_t random_bits(uint64_t seed, uint64_t at) {
  uint64_t z = seed + (at + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

// To nearest, ties to even.
inline __device__ uint16_t to_bfloat16(float value) {
  const uint32_t bits = __float_as_uint(value);
  if (value != value) return 0x7fff;
  return uint16_t((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

inline __device__ float from_half(uint16_t half) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
  return value;
}
inline __device__ uint16_t to_half(float value) {
  uint16_t half;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(value));
  return half;
}

// E4M3: a sign, four bits of exponent with bias 7, three of fraction; no infinity, and one NaN (OCP 8-bit Floating
// Point Specification, version 1.0). Rounded to nearest even; what is too large becomes the largest, 448. By hand,
// because cvt has them only from sm_89 on.
inline __device__ uint8_t to_e4m3(float value) {
  const uint8_t sign = uint8_t(__float_as_uint(value) >> 24 & 0x80);
  if (value != value) return sign | 0x7f;
  const float size = fminf(fabsf(value), 448);
  if (size < 0x1p-6f) return uint8_t(sign | int(rintf(size * 0x1p9f)));  // subnormal: multiples of 2^-9
  const uint32_t bits = __float_as_uint(size), rounded = (bits + 0x7ffff + (bits >> 20 & 1)) >> 20;
  return uint8_t(sign | (rounded - ((127 - 7) << 3)));
}
inline __host__ __device__ double from_e4m3(uint8_t bits) {
  const int exponent = bits >> 3 & 15, fraction = bits & 7;
  const double size = exponent == 15 && fraction == 7 ? NAN
                      : exponent                      ? ldexp(8 + fraction, exponent - 10)
                                                      : ldexp(fraction, -9);
  return bits >> 7 ? -size : size;
}

template <class T>
__device__ double to_double(T value) {
  return double(value);
}
inline __device__ double to_double(HalfBits value) { return from_half(value.bits); }
inline __device__ double to_double(BFloat16Bits value) { return __uint_as_float(uint32_t(value.bits) << 16); }
inline __device__ double to_double(E4m3Bits value) { return from_e4m3(value.bits); }

template <class T>
__device__ T from_real(double value) {
  return T(value);
}
template <>
inline __device__ HalfBits from_real<HalfBits>(double value) {
  return {to_half(float(value))};
}
template <>
inline __device__ BFloat16Bits from_real<BFloat16Bits>(double value) {
  return {to_bfloat16(float(value))};
}
template <>
inline __device__ E4m3Bits from_real<E4m3Bits>(double value) {
  return {to_e4m3(float(value))};
}
template <class T>
__device__ T from_bits(uint64_t bits) {
  T value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
__device__ uint64_t bits_of(T value) {
  uint64_t bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

// The element of an input at a place.
template <class T>
__device__ T element_of(const Argument& a, uint64_t seed, uint64_t at) {
  const uint64_t bits = random_bits(seed, at);
  const float uniform = float(uint32_t(bits >> 40)) * 0x1p-24f;
  switch (a.filling) {
    case Filling::Normal: {  // Box and Muller, 1958
      const float other = float(uint32_t(bits) >> 8) * 0x1p-24f;
      return from_real<T>(sqrtf(-2 * logf(1 - uniform)) * cosf(6.2831853f * other));
    }
    case Filling::Uniform:
      return from_real<T>(a.low + (a.high - a.low) * uniform);
    case Filling::Below:
      return from_real<T>(double(__umul64hi(bits, a.below)));
    case Filling::Skewed:
      return from_real<T>(floor(double(a.below) * double(uniform * uniform) * double(uniform * uniform)));
    case Filling::Constant:
      return from_real<T>(a.low);
    case Filling::Bits:
      break;
  }
  return from_bits<T>(bits);
}

// --- kernels -------------------------------------------------------------------------------------------------------

struct Found {
  unsigned long long wrong, poisoned, first;
};

inline __device__ uint64_t first_element() { return uint64_t(blockIdx.x) * blockDim.x + threadIdx.x; }
inline __device__ uint64_t stride() { return uint64_t(gridDim.x) * blockDim.x; }

inline __device__ void note_wrong(Found* found, uint64_t at, bool poisoned) {
  atomicAdd(&found->wrong, 1ull);
  if (poisoned) atomicAdd(&found->poisoned, 1ull);
  atomicMin(&found->first, static_cast<unsigned long long>(at));
}

template <class T>
__global__ void make_input(T* out, Argument a, uint64_t seed) {
  for (uint64_t i = first_element(); i < a.count; i += stride()) out[i] = element_of<T>(a, seed, i);
}

template <class T>
__global__ void compare_input(const T* in, Argument a, uint64_t seed, Found* found) {
  for (uint64_t i = first_element(); i < a.count; i += stride())
    if (bits_of(in[i]) != bits_of(element_of<T>(a, seed, i))) note_wrong(found, i, false);
}

// Integers are subtracted as integers: those of 64 bits have neighbours that are one double.
template <class T>
__device__ bool is_near(T value, T right, const Argument& a) {
  const double g = to_double(value), e = to_double(right), most = a.absolute + a.relative * fabs(e);
  if constexpr (std::is_integral_v<T>)
    return double(value > right ? uint64_t(value) - uint64_t(right) : uint64_t(right) - uint64_t(value)) <= most;
  else
    return g == e || (g != g && e != e) || fabs(g - e) <= most;
}

template <class T>
__global__ void compare_output(const T* got, const T* expected, Argument a, uint64_t poison, bool has_poison,
                               Found* found) {
  for (uint64_t i = first_element(); i < a.count; i += stride()) {
    const T value = got[i], right = expected[i];
    if (bits_of(value) == bits_of(right)) continue;
    if (is_near(value, right, a)) continue;
    note_wrong(found, i, has_poison && bits_of(value) == (poison & ~0ull >> (64 - 8 * sizeof(T))));
  }
}

// Lasts about so many clocks, whatever the clock does.
static __global__ void wait_clocks(long long clocks) {
  const long long start = clock64();
  for (unsigned i = 0; i < 1u << 20 && clock64() - start < clocks; ++i) {
  }
}

// The sum is written where it cannot be, or the loads would be dropped.
static __global__ void read_through(const uint4* from, uint64_t count, unsigned* sink) {
  unsigned sum = 0;
  for (uint64_t i = first_element(); i < count; i += stride()) {
    const uint4 v = from[i];
    sum |= v.x | v.y | v.z | v.w;
  }
  if (sum) *sink = sum;
}

static __global__ void copy_wide(const uint4* from, uint4* to, uint64_t count) {
  const uint64_t i = first_element();
  if (i < count) to[i] = from[i];
}

// --- elements ------------------------------------------------------------------------------------------------------

// The type of an element, as a value of it.
template <class Do>
void with_type(Element element, Do work) {
  switch (element) {
#define X(name, spelling, type) \
  case Element::name:           \
    work(type{});               \
    return;
    WARPWISE_BENCH_ELEMENTS(X)
#undef X
  }
}
inline uint64_t bytes_of(Element element) {
  uint64_t bytes = 0;
  with_type(element, [&](auto value) { bytes = sizeof value; });
  return bytes;
}

// The value of an element, on the host: what a message shows.
inline double value_at(const void* array, Element element, uint64_t at) {
  double shown = 0;
  with_type(element, [&](auto value) {
    using T = decltype(value);
    cudaMemcpy(&value, static_cast<const T*>(array) + at, sizeof value, cudaMemcpyDeviceToHost);
    if constexpr (sizeof(T) == 2 && !std::is_integral_v<T>) {
      uint32_t bits;
      if (std::is_same_v<T, BFloat16Bits>) {
        bits = uint32_t(value.bits) << 16;
        float wide;
        std::memcpy(&wide, &bits, sizeof wide);
        shown = wide;
      } else {
        const int exponent = value.bits >> 10 & 31, fraction = value.bits & 1023;
        shown = exponent == 31 ? (fraction ? NAN : INFINITY)
                : exponent     ? std::ldexp(1024 + fraction, exponent - 25)
                               : std::ldexp(fraction, -24);
        if (value.bits >> 15) shown = -shown;
      }
    } else if constexpr (std::is_same_v<T, E4m3Bits>) {
      shown = from_e4m3(value.bits);
    } else {
      shown = double(value);
    }
  });
  return shown;
}

}  // namespace warpwise::bench_worker
