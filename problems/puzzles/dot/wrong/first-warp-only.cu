// verdict: wrong-value
// why: shuffles add up one warp, and the others are forgotten
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  int i = threadIdx.x;
  float sum = i < n ? a[i] * b[i] : 0;
  unsigned mask = __activemask();
  for (int step = min(32, (int)blockDim.x) / 2; step > 0; step /= 2) sum += __shfl_xor_sync(mask, sum, step);
  if (i == 0) out[0] = sum;
}
