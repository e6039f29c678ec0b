// problem: puzzles/shared
// verdict: barrier
// says: not all threads reach the barrier
// says: the `return` in line 10 stands in front of the barrier in line 12
// says: if (i >= n) return;
// not: budget
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = a[i];
  __syncthreads();
  out[i] = tile[threadIdx.x] + 10;
}
