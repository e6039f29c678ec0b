// verdict: over-budget
// why: all threads add to one place with atomics: a queue instead of a tree
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sum;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  if (i < n) atomicAdd(&sum, a[i]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
