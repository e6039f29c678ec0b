// verdict: over-budget
// why: each thread brings all of the block's elements, and they are read as often as there are threads
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  int start = blockIdx.x * blockDim.x;
  float mine = 0;
  for (int k = 0; k < blockDim.x && start + k < n; ++k) {
    float x = a[start + k];
    if (k == t) mine = x;
  }
  tile[t] = mine;
  __syncthreads();
  if (i < n) out[i] = tile[t] + 10;
}
