// verdict: unwritten
// why: threads beyond the first warp do nothing
extern "C" __global__ void zip(float* out, const float* a, const float* b) {
  int i = threadIdx.x;
  if (i < warpSize) out[i] = a[i] + b[i];
}
