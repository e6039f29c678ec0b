// verdict: over-budget
// why: everybody adds to one place with atomics: no tree, but a queue
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sum;
  int c = threadIdx.x;
  if (c == 0) sum = 0;
  __syncthreads();
  if (c < cols) atomicAdd(&sum, a[blockIdx.y * cols + c]);
  __syncthreads();
  if (c == 0) out[blockIdx.y] = sum;
}
