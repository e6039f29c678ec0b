// Type conversions with every rounding, reinterpretations, arithmetic with every rounding.
// has: cvt.rmi.s32.f32
// has: add.rp.f64
// has: fma.rz.f32
// lacks: call
__global__ void all(float* f, double* d, int* i, unsigned* u, long long* l, unsigned long long* ul) {
  i[0] += __float2int_rn(f[0]) + __double2int_rn(d[0]); u[0] += __float2uint_rn(f[0]) + __double2uint_rn(d[0]);
  l[0] += __float2ll_rn(f[0]) + __double2ll_rn(d[0]); ul[0] += __float2ull_rn(f[0]) + __double2ull_rn(d[0]);
  f[1] += __int2float_rn(i[0]) + __uint2float_rn(u[0]) + __ll2float_rn(l[0]) + __ull2float_rn(ul[0]) + __double2float_rn(d[0]);
  d[1] += __ll2double_rn(l[0]) + __ull2double_rn(ul[0]);
  f[2] += __fadd_rn(f[3], f[4]) + __fsub_rn(f[3], f[4]) + __fmul_rn(f[3], f[4]) + __fdiv_rn(f[3], f[4]) + __frcp_rn(f[3]) + __fsqrt_rn(f[3]) + __fmaf_rn(f[3], f[4], f[5]);
  d[2] += __dadd_rn(d[3], d[4]) + __dsub_rn(d[3], d[4]) + __dmul_rn(d[3], d[4]) + __ddiv_rn(d[3], d[4]) + __drcp_rn(d[3]) + __dsqrt_rn(d[3]) + __fma_rn(d[3], d[4], d[5]);
  i[0] += __float2int_rz(f[0]) + __double2int_rz(d[0]); u[0] += __float2uint_rz(f[0]) + __double2uint_rz(d[0]);
  l[0] += __float2ll_rz(f[0]) + __double2ll_rz(d[0]); ul[0] += __float2ull_rz(f[0]) + __double2ull_rz(d[0]);
  f[1] += __int2float_rz(i[0]) + __uint2float_rz(u[0]) + __ll2float_rz(l[0]) + __ull2float_rz(ul[0]) + __double2float_rz(d[0]);
  d[1] += __ll2double_rz(l[0]) + __ull2double_rz(ul[0]);
  f[2] += __fadd_rz(f[3], f[4]) + __fsub_rz(f[3], f[4]) + __fmul_rz(f[3], f[4]) + __fdiv_rz(f[3], f[4]) + __frcp_rz(f[3]) + __fsqrt_rz(f[3]) + __fmaf_rz(f[3], f[4], f[5]);
  d[2] += __dadd_rz(d[3], d[4]) + __dsub_rz(d[3], d[4]) + __dmul_rz(d[3], d[4]) + __ddiv_rz(d[3], d[4]) + __drcp_rz(d[3]) + __dsqrt_rz(d[3]) + __fma_rz(d[3], d[4], d[5]);
  i[0] += __float2int_rd(f[0]) + __double2int_rd(d[0]); u[0] += __float2uint_rd(f[0]) + __double2uint_rd(d[0]);
  l[0] += __float2ll_rd(f[0]) + __double2ll_rd(d[0]); ul[0] += __float2ull_rd(f[0]) + __double2ull_rd(d[0]);
  f[1] += __int2float_rd(i[0]) + __uint2float_rd(u[0]) + __ll2float_rd(l[0]) + __ull2float_rd(ul[0]) + __double2float_rd(d[0]);
  d[1] += __ll2double_rd(l[0]) + __ull2double_rd(ul[0]);
  f[2] += __fadd_rd(f[3], f[4]) + __fsub_rd(f[3], f[4]) + __fmul_rd(f[3], f[4]) + __fdiv_rd(f[3], f[4]) + __frcp_rd(f[3]) + __fsqrt_rd(f[3]) + __fmaf_rd(f[3], f[4], f[5]);
  d[2] += __dadd_rd(d[3], d[4]) + __dsub_rd(d[3], d[4]) + __dmul_rd(d[3], d[4]) + __ddiv_rd(d[3], d[4]) + __drcp_rd(d[3]) + __dsqrt_rd(d[3]) + __fma_rd(d[3], d[4], d[5]);
  i[0] += __float2int_ru(f[0]) + __double2int_ru(d[0]); u[0] += __float2uint_ru(f[0]) + __double2uint_ru(d[0]);
  l[0] += __float2ll_ru(f[0]) + __double2ll_ru(d[0]); ul[0] += __float2ull_ru(f[0]) + __double2ull_ru(d[0]);
  f[1] += __int2float_ru(i[0]) + __uint2float_ru(u[0]) + __ll2float_ru(l[0]) + __ull2float_ru(ul[0]) + __double2float_ru(d[0]);
  d[1] += __ll2double_ru(l[0]) + __ull2double_ru(ul[0]);
  f[2] += __fadd_ru(f[3], f[4]) + __fsub_ru(f[3], f[4]) + __fmul_ru(f[3], f[4]) + __fdiv_ru(f[3], f[4]) + __frcp_ru(f[3]) + __fsqrt_ru(f[3]) + __fmaf_ru(f[3], f[4], f[5]);
  d[2] += __dadd_ru(d[3], d[4]) + __dsub_ru(d[3], d[4]) + __dmul_ru(d[3], d[4]) + __ddiv_ru(d[3], d[4]) + __drcp_ru(d[3]) + __dsqrt_ru(d[3]) + __fma_ru(d[3], d[4], d[5]);
  d[6] = __int2double_rn(i[1]) + __uint2double_rn(u[1]) + __hiloint2double(i[2], i[3]) + __longlong_as_double(l[1]);
  i[4] = __float_as_int(f[6]) + __double2hiint(d[7]) + __double2loint(d[7]), u[4] = __float_as_uint(f[7]);
  l[2] = __double_as_longlong(d[8]), f[8] = __int_as_float(i[5]) + __uint_as_float(u[5]);
}
