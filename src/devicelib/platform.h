// The language that the device library is written in: one source for two compilers.
//
// Clang compiles devicelib.cu for the device, to bitcode that is linked into every program's kernels. The same
// functions also compile as host C++, so that tests compare them with MPFR. Both give the same bits: no contraction
// (the build says -ffp-contract=off), explicit fused multiply-adds, and no libm.
//
// Style of this folder. A function is straight-line code: it computes everything that it may need and selects at the
// end, because a warp of 32 lanes runs it as vectors, where a divergent branch costs both its sides. Branches are kept
// for what is rare and long (arguments of trigonometry beyond 2^30).
#pragma once

#include <stdint.h>

#if defined(__CUDA__)
#define WW_INLINE static inline __attribute__((device, always_inline))
#define WW_FUNCTION extern "C" __attribute__((device))
#define WW_TABLE static __attribute__((device)) const
#else
#define WW_INLINE static inline __attribute__((always_inline))
#define WW_FUNCTION extern "C" inline
#define WW_TABLE static const
#endif

namespace warpwise::devicelib {

WW_INLINE double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WW_INLINE float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WW_INLINE double absolute(double a) { return __builtin_fabs(a); }
WW_INLINE float absolute(float a) { return __builtin_fabsf(a); }
WW_INLINE double with_sign(double magnitude, double sign) { return __builtin_copysign(magnitude, sign); }
WW_INLINE float with_sign(float magnitude, float sign) { return __builtin_copysignf(magnitude, sign); }

WW_INLINE uint64_t to_bits(double a) { return __builtin_bit_cast(uint64_t, a); }
WW_INLINE uint32_t to_bits(float a) { return __builtin_bit_cast(uint32_t, a); }
WW_INLINE double as_double(uint64_t a) { return __builtin_bit_cast(double, a); }
WW_INLINE float as_float(uint32_t a) { return __builtin_bit_cast(float, a); }

constexpr double kInfinity = __builtin_inf();
constexpr double kNan = __builtin_nan("");
constexpr float kInfinityF = __builtin_inff();
constexpr float kNanF = __builtin_nanf("");

// Sums and products that must be rounded separately. The PTX back end fuses a multiplication and an addition when the
// program was compiled with contraction (CUDA's default), whatever the bitcode says; the .rn forms are exempt.
#if defined(__CUDA_ARCH__)
WW_INLINE double add(double a, double b) { return __nvvm_add_rn_d(a, b); }
WW_INLINE float add(float a, float b) { return __nvvm_add_rn_f(a, b); }
WW_INLINE double mul(double a, double b) { return __nvvm_mul_rn_d(a, b); }
WW_INLINE float mul(float a, float b) { return __nvvm_mul_rn_f(a, b); }
WW_INLINE double root(double a) { return __nvvm_sqrt_rn_d(a); }
WW_INLINE float root(float a) { return __nvvm_sqrt_rn_f(a); }
WW_INLINE uint64_t mul_high(uint64_t a, uint64_t b) { return __nvvm_mulhi_ull(a, b); }
#else
WW_INLINE double add(double a, double b) { return a + b; }
WW_INLINE float add(float a, float b) { return a + b; }
WW_INLINE double mul(double a, double b) { return a * b; }
WW_INLINE float mul(float a, float b) { return a * b; }
WW_INLINE double root(double a) { return __builtin_sqrt(a); }
WW_INLINE float root(float a) { return __builtin_sqrtf(a); }
WW_INLINE uint64_t mul_high(uint64_t a, uint64_t b) { return static_cast<uint64_t>((unsigned __int128)a * b >> 64); }
#endif

// c[0] + c[1] x + … by Horner's rule.
template <int n, class T>
WW_INLINE T polynomial(T x, const T (&c)[n]) {
  T sum = c[n - 1];
#pragma unroll
  for (int i = n - 2; i >= 0; --i) sum = fma(sum, x, c[i]);
  return sum;
}

// A sum of two numbers of which the second is at most half an ulp of the first.
template <class T>
struct Pair {
  T high, low;
};

// a + b exactly, for |a| >= |b| (Dekker 1971), for any a and b (Knuth), and a * b exactly.
template <class T>
WW_INLINE Pair<T> fast_two_sum(T a, T b) {
  const T s = add(a, b);
  return {s, add(b, -add(s, -a))};
}
template <class T>
WW_INLINE Pair<T> two_sum(T a, T b) {
  const T s = add(a, b), t = add(s, -a);
  return {s, add(add(a, -add(s, -t)), add(b, -t))};
}
template <class T>
WW_INLINE Pair<T> two_product(T a, T b) {
  const T p = mul(a, b);
  return {p, fma(a, b, -p)};
}

// 2^n for normal results.
WW_INLINE double power_of_two(int n) { return as_double(static_cast<uint64_t>(static_cast<int64_t>(n) + 1023) << 52); }
WW_INLINE float power_of_twof(int n) { return as_float(static_cast<uint32_t>(n + 127) << 23); }
// a * 2^n, rounded once unless a is subnormal already; |n| <= 2000 (250).
WW_INLINE double scale(double a, int n) {
  const int half = n >> 1;
  return mul(mul(a, power_of_two(half)), power_of_two(n - half));
}
WW_INLINE float scale(float a, int n) {
  const int half = n >> 1;
  return mul(mul(a, power_of_twof(half)), power_of_twof(n - half));
}

// Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits: no conversion instruction, and no
// undefined result for NaN.
constexpr double kRound = 0x1.8p52;
constexpr float kRoundF = 0x1.8p23f;
// The sum with `more` wraps: for a NaN the integer is arbitrary.
WW_INLINE int low_int(double rounded, int more = 0) {
  return static_cast<int>(static_cast<uint32_t>(to_bits(rounded)) + static_cast<uint32_t>(more));
}
WW_INLINE int low_int(float rounded, int more = 0) {
  return static_cast<int>(to_bits(rounded) - 0x4b400000u + static_cast<uint32_t>(more));
}

}  // namespace warpwise::devicelib
