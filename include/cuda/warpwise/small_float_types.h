// The types of one small floating-point format: a number, a pair and four of them, with the conversions that CUDA gives all its 8-, 6- and
// 4-bit types. A format is a class that derives from SmallFormatOf and has
//
//   static of(float), of(double)   the nearest number, saturating
//   static of_integer(i)           the same of an integer
//   static value(One)              the float that a number stands for
//   static half(One)               the same as a __half
//   kMagnitude                     the bits that are not zero in any number but zero (0: no number is)
//
// and, where there are instructions for two numbers at once, two_of and halves of its own. Conversions to integers round to zero and
// saturate.
#pragma once

#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "saturate.h"
#include "small_float.h"

#pragma push_macro("METHOD")
#define METHOD __host__ __device__ __attribute__((always_inline))

namespace warpwise_cuda {
// One, two and four numbers as integers, the first in the lowest bits; each takes kSlot bits.
template <class Format, class One_, class Two_, class Four_, int slot> struct SmallFormatOf {
  using One = One_;
  using Two = Two_;
  using Four = Four_;
  static constexpr int kSlot = slot;
  static METHOD One low(Two x) { return static_cast<One>(x & ((1u << slot) - 1)); }
  static METHOD One high(Two x) { return static_cast<One>(x >> slot); }
  static METHOD Two join(One low, One high) { return static_cast<Two>(low | high << slot); }
  static METHOD Two two_of(float2 f) { return join(Format::of(f.x), Format::of(f.y)); }
  static METHOD Two two_of(double2 f) { return join(Format::of(f.x), Format::of(f.y)); }
  static METHOD __half2 halves(Two x) { return __half2(Format::half(low(x)), Format::half(high(x))); }
};

template <class Format> struct SmallNumber {
  typename Format::One __x;
  SmallNumber() = default;
  explicit METHOD SmallNumber(float f) : __x(Format::of(f)) {}
  explicit METHOD SmallNumber(double f) : __x(Format::of(f)) {}
  explicit METHOD SmallNumber(__half f) : __x(Format::of(static_cast<float>(f))) {}
  explicit METHOD SmallNumber(__nv_bfloat16 f) : __x(Format::of(static_cast<float>(f))) {}
#define WARPWISE_INTEGER(I) explicit METHOD SmallNumber(I i) : __x(Format::of_integer(i)) {}
  WARPWISE_INTEGER(short) WARPWISE_INTEGER(unsigned short) WARPWISE_INTEGER(int) WARPWISE_INTEGER(unsigned)
  WARPWISE_INTEGER(long) WARPWISE_INTEGER(unsigned long) WARPWISE_INTEGER(long long) WARPWISE_INTEGER(unsigned long long)
#undef WARPWISE_INTEGER
  explicit METHOD operator float() const { return Format::value(__x); }
  explicit METHOD operator double() const { return static_cast<double>(Format::value(__x)); }
  explicit METHOD operator __half() const { return Format::half(__x); }
  explicit METHOD operator __nv_bfloat16() const { return __nv_bfloat16(Format::value(__x)); }
  explicit METHOD operator bool() const { return !Format::kMagnitude || (__x & Format::kMagnitude); }
#define WARPWISE_INTEGER(I) explicit METHOD operator I() const { return saturate<I>(__builtin_truncf(Format::value(__x))); }
  WARPWISE_INTEGER(char) WARPWISE_INTEGER(signed char) WARPWISE_INTEGER(unsigned char) WARPWISE_INTEGER(short)
  WARPWISE_INTEGER(unsigned short) WARPWISE_INTEGER(int) WARPWISE_INTEGER(unsigned) WARPWISE_INTEGER(long)
  WARPWISE_INTEGER(unsigned long) WARPWISE_INTEGER(long long) WARPWISE_INTEGER(unsigned long long)
#undef WARPWISE_INTEGER
};

template <class Format> struct alignas(typename Format::Two) SmallPair {
  typename Format::Two __x;
  SmallPair() = default;
  explicit METHOD SmallPair(float2 f) : __x(Format::two_of(f)) {}
  explicit METHOD SmallPair(double2 f) : __x(Format::two_of(f)) {}
  explicit METHOD SmallPair(__half2 f) : SmallPair(__half22float2(f)) {}
  explicit METHOD SmallPair(__nv_bfloat162 f) : SmallPair(__bfloat1622float2(f)) {}
  explicit METHOD operator float2() const { return make_float2(Format::value(Format::low(__x)), Format::value(Format::high(__x))); }
  explicit METHOD operator __half2() const { return Format::halves(__x); }
  explicit METHOD operator __nv_bfloat162() const { return __float22bfloat162_rn(static_cast<float2>(*this)); }
};

template <class Format> struct alignas(typename Format::Four) SmallFour {
  using Pair = SmallPair<Format>;
  using Four = typename Format::Four;
  Four __x;
  SmallFour() = default;
  explicit METHOD SmallFour(__half2 low, __half2 high) : __x(join(Pair(low), Pair(high))) {}
  explicit METHOD SmallFour(__nv_bfloat162 low, __nv_bfloat162 high) : __x(join(Pair(low), Pair(high))) {}
  explicit METHOD SmallFour(float4 f) : __x(join(Pair(make_float2(f.x, f.y)), Pair(make_float2(f.z, f.w)))) {}
#define WARPWISE_DOUBLES(T) explicit METHOD SmallFour(T f) : __x(join(Pair(make_double2(f.x, f.y)), Pair(make_double2(f.z, f.w)))) {}
  WARPWISE_DOUBLES(double4) WARPWISE_DOUBLES(double4_16a) WARPWISE_DOUBLES(double4_32a)
#undef WARPWISE_DOUBLES
  explicit METHOD operator float4() const {
    Pair low, high;
    low.__x = static_cast<typename Format::Two>(__x), high.__x = static_cast<typename Format::Two>(__x >> 2 * Format::kSlot);
    const float2 a(low), b(high);
    return make_float4(a.x, a.y, b.x, b.y);
  }

 private:
  static METHOD Four join(Pair low, Pair high) { return static_cast<Four>(low.__x | static_cast<Four>(high.__x) << 2 * Format::kSlot); }
};

// A format of 6 or 4 bits, which has neither infinities nor NaN: all of it follows from its kFormat.
template <class Format, class One, class Two, class Four, int slot> struct SmallerFormat : SmallFormatOf<Format, One, Two, Four, slot> {
  static constexpr unsigned kMagnitude = slot == 4 ? 7 : 0x1f;
  static METHOD One of(double f) { return encode_small(f, Format::kFormat); }
  static METHOD One of(float f) { return of(static_cast<double>(f)); }
  template <class I> static METHOD One of_integer(I i) { return of(static_cast<double>(i)); }
  static METHOD float value(One x) { return decode_small(x, Format::kFormat); }
  static METHOD __half half(One x) { return __half(value(x)); }
};
}  // namespace warpwise_cuda

// The conversions from a word of bits (fp6, fp4), whose small_format(kind) is there; slot: the bits of one number in a
// pair.
#define WARPWISE_SMALL_CONVERSIONS(fp, slot)                                                                                              \
  WARPWISE_SMALL(__nv_##fp##_storage_t) __nv_cvt_double_to_##fp(double x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {              \
    return warpwise_cuda::encode_small(x, warpwise_cuda::small_format(k), r);                                                            \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##x2_storage_t) __nv_cvt_double2_to_##fp##x2(double2 x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {      \
    return static_cast<__nv_##fp##x2_storage_t>(__nv_cvt_double_to_##fp(x.x, k, r) | __nv_cvt_double_to_##fp(x.y, k, r) << slot);        \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##_storage_t) __nv_cvt_float_to_##fp(float x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {                \
    return __nv_cvt_double_to_##fp(static_cast<double>(x), k, r);                                                                        \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##x2_storage_t) __nv_cvt_float2_to_##fp##x2(float2 x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {        \
    return __nv_cvt_double2_to_##fp##x2(make_double2(x.x, x.y), k, r);                                                                   \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##_storage_t) __nv_cvt_halfraw_to_##fp(__half_raw x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {         \
    return __nv_cvt_float_to_##fp(__half2float(x), k, r);                                                                                \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##x2_storage_t) __nv_cvt_halfraw2_to_##fp##x2(__half2_raw x, __nv_##fp##_interpretation_t k, cudaRoundMode r) { \
    return __nv_cvt_float2_to_##fp##x2(__half22float2(x), k, r);                                                                         \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##_storage_t) __nv_cvt_bfloat16raw_to_##fp(__nv_bfloat16_raw x, __nv_##fp##_interpretation_t k, cudaRoundMode r) { \
    return __nv_cvt_float_to_##fp(__bfloat162float(x), k, r);                                                                            \
  }                                                                                                                                      \
  WARPWISE_SMALL(__nv_##fp##x2_storage_t)                                                                                                \
  __nv_cvt_bfloat16raw2_to_##fp##x2(__nv_bfloat162_raw x, __nv_##fp##_interpretation_t k, cudaRoundMode r) {                              \
    return __nv_cvt_float2_to_##fp##x2(__bfloat1622float2(x), k, r);                                                                     \
  }                                                                                                                                      \
  WARPWISE_SMALL(__half_raw) __nv_cvt_##fp##_to_halfraw(__nv_##fp##_storage_t x, __nv_##fp##_interpretation_t k) {                        \
    return __half(warpwise_cuda::decode_small(x, warpwise_cuda::small_format(k)));                                                       \
  }                                                                                                                                      \
  WARPWISE_SMALL(__half2_raw) __nv_cvt_##fp##x2_to_halfraw2(__nv_##fp##x2_storage_t x, __nv_##fp##_interpretation_t k) {                  \
    return __half2(__nv_cvt_##fp##_to_halfraw(static_cast<unsigned char>(x & ((1 << slot) - 1)), k),                                     \
                   __nv_cvt_##fp##_to_halfraw(static_cast<unsigned char>(x >> slot), k));                                                \
  }
#define WARPWISE_SMALL(Result) static inline __host__ __device__ __attribute__((always_inline)) Result

// CUDA's names for the types of a format. They are structures, because programs forward-declare them as such.
#define WARPWISE_SMALL_TYPE(Type, Generic, Format)      \
  struct Type : warpwise_cuda::Generic<Format> {        \
    using warpwise_cuda::Generic<Format>::Generic;      \
    Type() = default;                                   \
  };

#pragma pop_macro("METHOD")
