// problem: puzzles/dot
// verdict: barrier
// says: which does not take part
// A warp's tree in a block of eight threads: lane 0 takes values from lanes that do not exist.
extern "C" __global__ void dot(float* out, const float* a, const float* b, int n) {
  __shared__ float sums[8];
  int i = threadIdx.x;
  float sum = i < n ? a[i] * b[i] : 0;
  for (int d = 16; d > 0; d /= 2) {
    float other = __shfl_down_sync(0xffffffff, sum, d);
    if (i % 32 + d < blockDim.x) sum += other;
  }
  if (i % 32 == 0) sums[i / 32] = sum;
  __syncthreads();
  if (i == 0) {
    float all = 0;
    for (int w = 0; w < (blockDim.x + 31) / 32; ++w) all += sums[w];
    out[0] = all;
  }
}
