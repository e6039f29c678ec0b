// solution: each thread keeps its sum in a register and reads the other half's alone
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  float sum = i < n ? a[i] : 0;
  sums[t] = sum;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sums[t] = sum += sums[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = sum;
}
