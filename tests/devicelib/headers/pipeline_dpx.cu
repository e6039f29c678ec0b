// Asynchronous copies and DPX.
// has: cp.async.cg.shared.global
// has: cp.async.ca.shared.global
// has: cp.async.commit_group
// has: cp.async.wait_group
// lacks: call
#include <cuda_pipeline.h>
__global__ void copy(const float4* x, float4* y, const float* z) {
  __shared__ float4 s[32];
  __shared__ float t[32];
  __pipeline_memcpy_async(&s[threadIdx.x], &x[threadIdx.x], sizeof(float4));
  __pipeline_memcpy_async(&t[threadIdx.x], &z[threadIdx.x], 4, 0);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  y[threadIdx.x] = s[31 - threadIdx.x];
  y[0].x = t[threadIdx.x];
}
__global__ void dpx(int* p, unsigned* q, bool* b) {
  p[0] = __vimax3_s32(p[1], p[2], p[3]) + __viaddmax_s32(p[1], p[2], p[3]) + __viaddmin_s32_relu(p[1], p[2], p[3]) + __vimax_s32_relu(p[1], p[2]);
  p[4] = __vibmax_s32(p[1], p[2], b), q[0] = __vimin3_u32(q[1], q[2], q[3]) + __viaddmax_u32(q[1], q[2], q[3]);
  q[4] = __vimax3_s16x2(q[1], q[2], q[3]) + __viaddmax_s16x2_relu(q[1], q[2], q[3]) + __vimin3_u16x2(q[1], q[2], q[3]);
}
