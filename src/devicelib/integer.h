// Integer functions and reinterpretations.
#pragma once

#include "platform.h"

WW_FUNCTION int __nv_abs(int x) { return x < 0 ? static_cast<int>(0u - static_cast<unsigned>(x)) : x; }
WW_FUNCTION long long __nv_llabs(long long x) {
  return x < 0 ? static_cast<long long>(0ull - static_cast<unsigned long long>(x)) : x;
}
WW_FUNCTION int __nv_min(int a, int b) { return a < b ? a : b; }
WW_FUNCTION int __nv_max(int a, int b) { return a > b ? a : b; }
WW_FUNCTION unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
WW_FUNCTION unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
WW_FUNCTION long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
WW_FUNCTION long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
WW_FUNCTION unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
WW_FUNCTION unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
WW_FUNCTION int __nv_clz(int x) { return x ? __builtin_clz(static_cast<unsigned>(x)) : 32; }
WW_FUNCTION int __nv_clzll(long long x) { return x ? __builtin_clzll(static_cast<unsigned long long>(x)) : 64; }
WW_FUNCTION int __nv_popc(unsigned x) { return __builtin_popcount(x); }
WW_FUNCTION int __nv_popcll(unsigned long long x) { return __builtin_popcountll(x); }
WW_FUNCTION int __nv_ffs(int x) { return x ? __builtin_ctz(static_cast<unsigned>(x)) + 1 : 0; }
WW_FUNCTION int __nv_ffsll(long long x) { return x ? __builtin_ctzll(static_cast<unsigned long long>(x)) + 1 : 0; }
WW_FUNCTION int __nv_hadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b) >> 1); }
WW_FUNCTION int __nv_rhadd(int a, int b) { return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1); }
WW_FUNCTION int __nv_uhadd(unsigned a, unsigned b) { return static_cast<int>((a & b) + ((a ^ b) >> 1)); }
WW_FUNCTION unsigned __nv_urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }
WW_FUNCTION int __nv_sad(int a, int b, int c) {
  const unsigned d =
      a > b ? static_cast<unsigned>(a) - static_cast<unsigned>(b) : static_cast<unsigned>(b) - static_cast<unsigned>(a);
  return static_cast<int>(d + static_cast<unsigned>(c));
}
WW_FUNCTION unsigned __nv_usad(unsigned a, unsigned b, unsigned c) { return (a > b ? a - b : b - a) + c; }
// The low 32 bits of the product of the low 24 bits.
WW_FUNCTION int __nv_mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) *
                          static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
WW_FUNCTION unsigned __nv_umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
WW_FUNCTION int __nv_mulhi(int a, int b) { return static_cast<int>((static_cast<long long>(a) * b) >> 32); }
WW_FUNCTION unsigned __nv_umulhi(unsigned a, unsigned b) {
  return static_cast<unsigned>((static_cast<unsigned long long>(a) * b) >> 32);
}
WW_FUNCTION unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return warpwise::devicelib::mul_high(a, b);
}
WW_FUNCTION long long __nv_mul64hi(long long a, long long b) {
  // The unsigned high half, less what a negative factor adds to it.
  const unsigned long long ua = static_cast<unsigned long long>(a), ub = static_cast<unsigned long long>(b);
  return static_cast<long long>(warpwise::devicelib::mul_high(ua, ub) - (a < 0 ? ub : 0) - (b < 0 ? ua : 0));
}
WW_FUNCTION double __nv_hiloint2double(int high, int low) {
  return warpwise::devicelib::as_double(static_cast<uint64_t>(static_cast<uint32_t>(high)) << 32 |
                                        static_cast<uint32_t>(low));
}
WW_FUNCTION int __nv_double2hiint(double x) { return static_cast<int>(warpwise::devicelib::to_bits(x) >> 32); }
WW_FUNCTION int __nv_double2loint(double x) { return static_cast<int>(warpwise::devicelib::to_bits(x)); }
WW_FUNCTION long long __nv_double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
WW_FUNCTION double __nv_longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
WW_FUNCTION int __nv_float_as_int(float x) { return __builtin_bit_cast(int, x); }
WW_FUNCTION unsigned __nv_float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
WW_FUNCTION float __nv_int_as_float(int x) { return __builtin_bit_cast(float, x); }
WW_FUNCTION float __nv_uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
