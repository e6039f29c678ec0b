// verdict: over-budget
// why: all threads add to one place with atomics: a queue instead of a tree
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sum;
  int c = threadIdx.x;
  if (c == 0) sum = 0;
  __syncthreads();
  if (c < cols) atomicAdd(&sum, a[blockIdx.y * cols + c]);
  __syncthreads();
  if (c == 0) out[blockIdx.y] = sum;
}
