// verdict: unwritten
// why: threads beyond the first warp do nothing
extern "C" __global__ void map(float* out, const float* a) {
  int i = threadIdx.x;
  if (i < 32) out[i] = a[i] + 10;
}
