// nvcc only: half precision, atomics, warp functions, cooperative groups, matrix and texture fetches.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace cg = cooperative_groups;

__global__ void halves(__half* a, __half2* b, __nv_bfloat16* c, __nv_bfloat162* d, double* e, float* f) {
  int i = threadIdx.x;
  a[i] = __hfma(a[i], a[i + 1], a[i + 2]);
  b[i] = __hadd2(b[i], __hmul2(b[i + 1], b[i + 2]));
  c[i] = hexp(c[i]);
  d[i] = __hmax2(d[i], d[i + 1]);
  e[i] = sin(e[i]) * exp(e[i]) + pow(e[i], 3.3);
  f[i] = sinf(f[i]) + powf(f[i], 2.2f) + __sinf(f[i]) + tgammaf(f[i]) + __fsqrt_rz(f[i]);
  atomicAdd(e, 1.0);
  atomicAdd(a, __float2half(1.f));
  atomicCAS((unsigned short*)c, (unsigned short)1, (unsigned short)2);
}

__global__ void warps(int* o) {
  auto grid = cg::this_grid();
  int v = o[threadIdx.x];
  v += __shfl_xor_sync(~0u, v, 1) + __ballot_sync(~0u, v > 1) + __match_any_sync(~0u, v) + __reduce_add_sync(~0u, v);
  o[1] = v + __vadd4(v, 3) + __dp4a(v, 2, 3) + __byte_perm(v, 3, 0x1234) + __funnelshift_l(v, 2, 3) + __brev(v);
  grid.sync();
  __nanosleep(10);
  if (v == 7) __trap();
}

__global__ void matrices(half* a, half* b, float* c, cudaTextureObject_t t) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> fa;
  fragment<matrix_b, 16, 16, 16, half, col_major> fb;
  fragment<accumulator, 16, 16, 16, float> fc;
  fill_fragment(fc, tex2D<float>(t, 1.f, 2.f));
  load_matrix_sync(fa, a, 16);
  load_matrix_sync(fb, b, 16);
  mma_sync(fc, fa, fb, fc);
  store_matrix_sync(c, fc, 16, mem_row_major);
}
