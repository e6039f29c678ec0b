// verdict: uninitialised
// why: begins with a step that is twice as wide, and adds places that were never written
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  sums[t] = i < n ? a[i] : 0;
  __syncthreads();
  for (int half = blockDim.x; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sums[0];
}
