// Functions that are one PTX instruction each: directed roundings, conversions, approximations, bit reversal. They
// exist for the device only; the host has no such instructions, so tests have nothing to compare.
#pragma once

#if defined(__CUDA_ARCH__)
#include "platform.h"

// CUDA's rn, rz, rd, ru are PTX's rn, rz, rm, rp.
#define WW_ROUNDINGS(M) M(rn, rn) M(rz, rz) M(rd, rm) M(ru, rp)

#define WW_ARITHMETIC(cuda, ptx)                                                                               \
  WW_FUNCTION float __nv_fadd_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }                  \
  WW_FUNCTION float __nv_fsub_##cuda(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }                 \
  WW_FUNCTION float __nv_fmul_##cuda(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }                  \
  WW_FUNCTION float __nv_fdiv_##cuda(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }                  \
  WW_FUNCTION float __nv_frcp_##cuda(float a) { return __nvvm_rcp_##ptx##_f(a); }                              \
  WW_FUNCTION float __nv_fsqrt_##cuda(float a) { return __nvvm_sqrt_##ptx##_f(a); }                            \
  WW_FUNCTION float __nv_fmaf_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }      \
  WW_FUNCTION float __nv_fmaf_ieee_##cuda(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); } \
  WW_FUNCTION double __nv_dadd_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }               \
  WW_FUNCTION double __nv_dsub_##cuda(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }              \
  WW_FUNCTION double __nv_dmul_##cuda(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }               \
  WW_FUNCTION double __nv_ddiv_##cuda(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }               \
  WW_FUNCTION double __nv_drcp_##cuda(double a) { return __nvvm_rcp_##ptx##_d(a); }                            \
  WW_FUNCTION double __nv_dsqrt_##cuda(double a) { return __nvvm_sqrt_##ptx##_d(a); }                          \
  WW_FUNCTION double __nv_fma_##cuda(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }
WW_ROUNDINGS(WW_ARITHMETIC)
#undef WW_ARITHMETIC

// CONVERSION(CUDA's name, result, argument, Clang's name, the instruction that rounds to zero, its constraints)
#define WW_CONVERSIONS(CONVERSION)                                                        \
  CONVERSION(double2float, float, double, d2f, "cvt.rz.f32.f64", "=f", "d")               \
  CONVERSION(double2int, int, double, d2i, "cvt.rzi.s32.f64", "=r", "d")                  \
  CONVERSION(double2uint, unsigned, double, d2ui, "cvt.rzi.u32.f64", "=r", "d")           \
  CONVERSION(double2ll, long long, double, d2ll, "cvt.rzi.s64.f64", "=l", "d")            \
  CONVERSION(double2ull, unsigned long long, double, d2ull, "cvt.rzi.u64.f64", "=l", "d") \
  CONVERSION(float2int, int, float, f2i, "cvt.rzi.s32.f32", "=r", "f")                    \
  CONVERSION(float2uint, unsigned, float, f2ui, "cvt.rzi.u32.f32", "=r", "f")             \
  CONVERSION(float2ll, long long, float, f2ll, "cvt.rzi.s64.f32", "=l", "f")              \
  CONVERSION(float2ull, unsigned long long, float, f2ull, "cvt.rzi.u64.f32", "=l", "f")   \
  CONVERSION(int2float, float, int, i2f, "cvt.rz.f32.s32", "=f", "r")                     \
  CONVERSION(uint2float, float, unsigned, ui2f, "cvt.rz.f32.u32", "=f", "r")              \
  CONVERSION(ll2float, float, long long, ll2f, "cvt.rz.f32.s64", "=f", "l")               \
  CONVERSION(ull2float, float, unsigned long long, ull2f, "cvt.rz.f32.u64", "=f", "l")    \
  CONVERSION(ll2double, double, long long, ll2d, "cvt.rz.f64.s64", "=d", "l")             \
  CONVERSION(ull2double, double, unsigned long long, ull2d, "cvt.rz.f64.u64", "=d", "l")
#define WW_CONVERSION(name, result, argument, builtin, instruction, to, from)                                   \
  WW_FUNCTION result __nv_##name##_rn(argument x) { return static_cast<result>(__nvvm_##builtin##_rn(x)); }     \
  WW_FUNCTION result __nv_##name##_rd(argument x) { return static_cast<result>(__nvvm_##builtin##_rm(x)); }     \
  WW_FUNCTION result __nv_##name##_ru(argument x) { return static_cast<result>(__nvvm_##builtin##_rp(x)); }     \
  /* Not __nvvm_…_rz: LLVM takes it for the cast of C, which rounds integers to nearest and promises nothing */ \
  /* out of range. */                                                                                           \
  WW_FUNCTION result __nv_##name##_rz(argument x) {                                                             \
    result y;                                                                                                   \
    asm(instruction " %0, %1;" : to(y) : from(x));                                                              \
    return y;                                                                                                   \
  }
WW_CONVERSIONS(WW_CONVERSION)
#undef WW_CONVERSION
#undef WW_CONVERSIONS
#undef WW_ROUNDINGS
WW_FUNCTION double __nv_int2double_rn(int x) { return static_cast<double>(x); }
WW_FUNCTION double __nv_uint2double_rn(unsigned x) { return static_cast<double>(x); }
WW_FUNCTION float __nv_half2float(unsigned short x) { return static_cast<float>(__builtin_bit_cast(_Float16, x)); }
WW_FUNCTION unsigned short __nv_float2half_rn(float x) {
  return __builtin_bit_cast(unsigned short, static_cast<_Float16>(x));
}

// --- approximations -----------------------------------------------------------------------------------
WW_FUNCTION float __nv_frsqrt_rn(float x) { return static_cast<float>(1.0 / __nvvm_sqrt_rn_d(static_cast<double>(x))); }
WW_FUNCTION double __nv_rcp64h(double x) { return __nvvm_rcp_approx_ftz_d(x); }
WW_FUNCTION float __nv_fast_sinf(float x) { return __nvvm_sin_approx_f(x); }
WW_FUNCTION float __nv_fast_cosf(float x) { return __nvvm_cos_approx_f(x); }
WW_FUNCTION float __nv_fast_tanf(float x) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x));
}
WW_FUNCTION void __nv_fast_sincosf(float x, float* s, float* c) {
  *s = __nvvm_sin_approx_f(x);
  *c = __nvvm_cos_approx_f(x);
}
WW_FUNCTION float __nv_fast_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
WW_FUNCTION float __nv_fast_expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p0f); }
WW_FUNCTION float __nv_fast_exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p1f); }
WW_FUNCTION float __nv_fast_log2f(float x) { return __nvvm_lg2_approx_f(x); }
WW_FUNCTION float __nv_fast_logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e43p-1f; }
WW_FUNCTION float __nv_fast_log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
WW_FUNCTION float __nv_fast_powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
WW_FUNCTION float __nv_fast_fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }

WW_FUNCTION unsigned __nv_brev(unsigned x) { return __builtin_bitreverse32(x); }
WW_FUNCTION unsigned long long __nv_brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WW_FUNCTION unsigned __nv_byte_perm(unsigned a, unsigned b, unsigned selector) {
  return __nvvm_prmt(a, b, selector & 0x7777);
}

// Called for a pure virtual function; execution cannot continue.
extern "C" __attribute__((device)) void __cxa_pure_virtual() { __builtin_trap(); }
extern "C" __attribute__((device)) void __cxa_deleted_virtual() { __builtin_trap(); }
#endif
