// verdict: out-of-bounds
// why: shared memory is as large as the block of the example
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  if (i < n) tile[t] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[t] + 10;
}
