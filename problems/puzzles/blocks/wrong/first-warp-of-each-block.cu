// verdict: unwritten
// why: threads beyond the first warp of a block do nothing
extern "C" __global__ void blocks(float* out, const float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n && threadIdx.x < warpSize) out[i] = a[i] + 10;
}
