// Every array is used; arithmetic in double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

namespace {

__global__ void all_of_them(const __half* h, const __nv_bfloat16* b, const __nv_fp8_e4m3* f8, const double* d,
                            const int8_t* i8, const unsigned char* u8, const short* i16, const uint16_t* u16,
                            const int* i32, const unsigned* u32, const long long* i64, const uint64_t* u64, float* kept,
                            unsigned int* seen, __half* h_out, __nv_bfloat16* b_out, __nv_fp8_e4m3* f8_out,
                            double* d_out, int64_t* i_out, unsigned int* count, float scale, double offset, int step,
                            size_t n) {
  const size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  h_out[i] = __float2half(float(double(__half2float(h[i])) * scale));
  b_out[i] = __float2bfloat16(float(double(__bfloat162float(b[i])) * scale));
  f8_out[i] = __nv_fp8_e4m3(float(f8[i]) * 0.375f);
  d_out[i] = d[i] + offset;
  i_out[i] = int64_t(i8[i]) + u8[i] + i16[i] + u16[i] + i32[i] + u32[i] + int64_t(u64[i]) + (i64[i] >> 8) + step;
  kept[i] += 1;
  atomicAdd(seen, 1u);
  if (d[i] > 0) atomicAdd(count, 1u);
}

}  // namespace

extern "C" void reference(const __half* h, const __nv_bfloat16* b, const __nv_fp8_e4m3* f8, const double* d,
                          const int8_t* i8, const unsigned char* u8, const short* i16, const uint16_t* u16,
                          const int* i32, const unsigned* u32, const long long* i64, const uint64_t* u64, float* kept,
                          unsigned int* seen, __half* h_out, __nv_bfloat16* b_out, __nv_fp8_e4m3* f8_out, double* d_out,
                          int64_t* i_out, unsigned int* count, float scale, double offset, int step, size_t n) {
  all_of_them<<<unsigned((n + 127) / 128), 128>>>(h, b, f8, d, i8, u8, i16, u16, i32, u32, i64, u64, kept, seen, h_out,
                                                  b_out, f8_out, d_out, i_out, count, scale, offset, step, n);
}
