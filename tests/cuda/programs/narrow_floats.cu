// The conversions of 16-, 8-, 6- and 4-bit floating point: hashes of their results for many values, on the host and in
// a kernel. NVIDIA's
// headers and those of include/cuda must give the same.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

#include <cstdio>
#include <cstring>

typedef unsigned long long u64;

// Floats of all magnitudes, ties and their neighbours among them; integers of all widths.
static __host__ __device__ float float_of(unsigned n) {
  const unsigned bits = (n * 2654435761u) ^ (n & 1 ? 0 : (n * 2654435761u) & 0x1fff);
  float f;
  memcpy(&f, &bits, 4);
  return n < 256 ? (static_cast<int>(n) - 128) * 0.0625f : f == f ? f : 0.0f;
}
static __host__ __device__ u64 integer_of(unsigned n) {
  const u64 spread = (n + 1) * 0x9e3779b97f4a7c15ull;
  return n & 1 ? spread >> (n >> 1 & 63) : (1ull << (n >> 1 & 63)) + ((n >> 7) & 7) - 3;
}
template <class T> static __host__ __device__ u64 bits_of(T value) {
  u64 bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}

// NVIDIA's host lacks these.
#ifdef __CUDA_ARCH__
#define DEVICE_HAS(x) (x)
#else
#define DEVICE_HAS(x) 0
#endif

#define TO_AND_FROM(word, T, I, name)                                                                          \
  case __COUNTER__ - kFirst: return bits_of(__##name##2##word##_rn(static_cast<I>(i))) ^                        \
                                    DEVICE_HAS(bits_of(__##name##2##word##_rz(static_cast<I>(i))) << 16 ^        \
                                               bits_of(__##name##2##word##_ru(static_cast<I>(i))) << 32 ^        \
                                               bits_of(__##name##2##word##_rd(static_cast<I>(i))) << 48);        \
  case __COUNTER__ - kFirst: return bits_of(__##word##2##name##_rz(T(f))) +                                     \
                                    DEVICE_HAS(3 * bits_of(__##word##2##name##_rn(T(f))) + 5 * bits_of(__##word##2##name##_ru(T(f))) + \
                                               7 * bits_of(__##word##2##name##_rd(T(f))));
#define SIXTEEN(word, T)                                                                                         \
  TO_AND_FROM(word, T, short, short) TO_AND_FROM(word, T, unsigned short, ushort) TO_AND_FROM(word, T, int, int) \
  TO_AND_FROM(word, T, unsigned, uint) TO_AND_FROM(word, T, long long, ll) TO_AND_FROM(word, T, u64, ull)         \
  case __COUNTER__ - kFirst: return bits_of(__float2##word##_rn(f)) ^ bits_of(__float2##word##_rz(f)) << 16 ^    \
                                    bits_of(__float2##word##_ru(f)) << 32 ^ bits_of(__float2##word##_rd(f)) << 48; \
  case __COUNTER__ - kFirst: return bits_of(static_cast<signed char>(T(f))) + 3 * bits_of(static_cast<unsigned char>(T(f))) + \
                                    bits_of(__##word##2char_rz(T(f))) + bits_of(__##word##2uchar_rz(T(f)));
#define SMALL_TYPE(T)                                                                                             \
  case __COUNTER__ - kFirst: return bits_of(T(f)) ^ bits_of(T(static_cast<double>(f) * 1.0000001)) << 8 ^          \
                                    bits_of(T(__half(f))) << 16 ^ bits_of(T(__nv_bfloat16(f))) << 24;            \
  case __COUNTER__ - kFirst: return bits_of(T(static_cast<int>(i))) ^ bits_of(T(static_cast<long long>(i))) << 8 ^ \
                                    bits_of(T(static_cast<unsigned short>(i))) << 16 ^ bits_of(T(i)) << 24;       \
  case __COUNTER__ - kFirst: return bits_of(static_cast<float>(T(f))) ^ bits_of(static_cast<double>(T(f))) ^       \
                                    bits_of(static_cast<__half>(T(f))) << 16 ^ bits_of(static_cast<__nv_bfloat16>(T(f))) << 32; \
  case __COUNTER__ - kFirst: return bits_of(static_cast<signed char>(T(f))) + 3 * bits_of(static_cast<unsigned char>(T(f))) + \
                                    5 * bits_of(static_cast<short>(T(f))) + 7 * bits_of(static_cast<unsigned>(T(f))) + \
                                    11 * bits_of(static_cast<long long>(T(f))) + static_cast<bool>(T(f));
#define SMALL_PAIR(T)                                                                                             \
  case __COUNTER__ - kFirst: return bits_of(T(make_float2(f, -f * 0.7f))) ^ bits_of(T(make_double2(f, f * 1.7))) << 16 ^ \
                                    bits_of(T(__floats2half2_rn(f, 1.0f))) << 32 ^ bits_of(static_cast<__half2>(T(make_float2(f, 0.25f)))) << 32 ^ \
                                    bits_of(static_cast<float2>(T(make_float2(f, 0.25f))));
#define SMALL_FOUR(T)                                                                                             \
  case __COUNTER__ - kFirst: return bits_of(T(make_float4(f, 1.0f, -f, 2.0f))) ^                                  \
                                    bits_of(static_cast<float4>(T(make_float4(f, 1.0f, -f, 2.0f))).z) << 32;
#define CONVERSIONS(fp, kind)                                                                                      \
  case __COUNTER__ - kFirst: return bits_of(__nv_cvt_float_to_##fp(f, kind, cudaRoundNearest)) ^                   \
                                    bits_of(__nv_cvt_float_to_##fp(f, kind, cudaRoundZero)) << 8 ^                 \
                                    bits_of(__nv_cvt_float2_to_##fp##x2(make_float2(f, -f), kind, cudaRoundNearest)) << 16 ^ \
                                    bits_of(__nv_cvt_double_to_##fp(f * 1.0000001, kind, cudaRoundZero)) << 32 ^    \
                                    bits_of(__nv_cvt_##fp##_to_halfraw(__nv_cvt_halfraw_to_##fp(__half(f), kind, cudaRoundNearest), kind)) << 48 ^ \
                                    bits_of(__nv_cvt_bfloat16raw_to_##fp(__nv_bfloat16(f), kind, cudaRoundNearest)) << 40;
#define SCALES(saturation, rounding)                                                                                \
  case __COUNTER__ - kFirst: return bits_of(__nv_cvt_float_to_e8m0(f, saturation, rounding)) ^                      \
                                    bits_of(__nv_cvt_double_to_e8m0(f * 1.7e12, saturation, rounding)) << 8 ^       \
                                    bits_of(__nv_cvt_bfloat16raw_to_e8m0(__nv_bfloat16(f), saturation, rounding)) << 16 ^ \
                                    bits_of(__nv_cvt_e8m0_to_bf16raw(static_cast<unsigned char>(i))) << 32;

enum { kFirst = __COUNTER__ + 1 };
static __host__ __device__ u64 convert(int what, unsigned n) {
  const float f = float_of(n);
  const u64 i = integer_of(n);
  switch (what) {
    SIXTEEN(half, __half)
    SIXTEEN(bfloat16, __nv_bfloat16)
    case __COUNTER__ - kFirst: return bits_of(static_cast<__half>(__nv_bfloat16(f))) ^ bits_of(static_cast<__nv_bfloat16>(__half(f))) << 16;
    SMALL_TYPE(__nv_fp8_e4m3) SMALL_TYPE(__nv_fp8_e5m2) SMALL_TYPE(__nv_fp8_e8m0)
    SMALL_TYPE(__nv_fp6_e3m2) SMALL_TYPE(__nv_fp6_e2m3) SMALL_TYPE(__nv_fp4_e2m1)
    SMALL_PAIR(__nv_fp8x2_e4m3) SMALL_PAIR(__nv_fp8x2_e8m0) SMALL_PAIR(__nv_fp6x2_e3m2) SMALL_PAIR(__nv_fp6x2_e2m3) SMALL_PAIR(__nv_fp4x2_e2m1)
    SMALL_FOUR(__nv_fp8x4_e5m2) SMALL_FOUR(__nv_fp6x4_e3m2) SMALL_FOUR(__nv_fp6x4_e2m3) SMALL_FOUR(__nv_fp4x4_e2m1)
    CONVERSIONS(fp6, __NV_E3M2) CONVERSIONS(fp6, __NV_E2M3) CONVERSIONS(fp4, __NV_E2M1)
    SCALES(__NV_SATFINITE, cudaRoundPosInf) SCALES(__NV_NOSAT, cudaRoundZero) SCALES(__NV_SATFINITE, cudaRoundZero)
  }
  return 0;
}
enum { kConversions = __COUNTER__ - kFirst };

static const unsigned kValues = 1000;
__global__ void hash(int what, u64* out) {
  u64 sum = 0;
  for (unsigned n = threadIdx.x; n < kValues; n += blockDim.x) sum += convert(what, n) * (2 * n + 1);
  atomicAdd(out, sum);
}

int main() {
  u64* out;
  cudaMalloc(&out, 8);
  for (int what = 0; what < kConversions; ++what) {
    u64 here = 0, there = 0;
    for (unsigned n = 0; n < kValues; ++n) here += convert(what, n) * (2 * n + 1);
    cudaMemset(out, 0, 8);
    hash<<<1, 256>>>(what, out);
    cudaMemcpy(&there, out, 8, cudaMemcpyDeviceToHost);
    if (here == there) printf("%2d: %016llx\n", what, here);
    else printf("%2d: %016llx on the host, %016llx in the kernel\n", what, here, there);
  }
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
