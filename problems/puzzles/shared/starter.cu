// out[i] = a[i] + 10 for i < n, through shared memory. A block has at most 128 threads.
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  // Load an element. Wait. Use it.
}
