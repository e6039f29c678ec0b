// fp8 types and wmma fragments.
// has: cvt.rn.satfinite.e4m3x2.f32
// has: cvt.rn.f16x2.e5m2x2
// has: wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32
// has: wmma.load.a.sync.aligned.row.m16n16k8.tf32
#include <cuda_fp8.h>
#include <mma.h>
__global__ void narrow(const float* in, __nv_fp8_e4m3* a, __nv_fp8x4_e5m2* b, float* out, __half2* halves) {
  a[threadIdx.x] = __nv_fp8_e4m3(in[threadIdx.x]);
  b[threadIdx.x] = __nv_fp8x4_e5m2(make_float4(in[0], in[1], in[2], in[3]));
  out[threadIdx.x] = float(a[3]) + float4(b[2]).w + float(__nv_fp8_e5m2(7)) + int(__nv_fp8_e4m3(2.5));
  halves[0] = __half2(__nv_cvt_fp8x2_to_halfraw2(0x1234, __NV_E5M2));
}
__global__ void products(const __half* a, const __half* b, const float* c, float* d) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, __half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> sum;
  fill_fragment(sum, 0.0f);
  load_matrix_sync(fa, a, 16), load_matrix_sync(fb, b, 16);
  mma_sync(sum, fa, fb, sum);
  store_matrix_sync(d, sum, 16, mem_row_major);
  fragment<matrix_a, 16, 16, 8, precision::tf32, row_major> ft;
  load_matrix_sync(ft, c, 8);
  for (int i = 0; i < ft.num_elements; ++i) ft.x[i] = __float_to_tf32(ft.x[i]);
  d[300] = ft.x[0];
}
int main() { return int(__nv_fp8_storage_t(__nv_cvt_float_to_fp8(1.0f, __NV_NOSAT, __NV_E4M3))); }
