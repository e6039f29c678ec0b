// verdict: barrier
// why: threads without an element leave before the barrier, which all are asked to reach
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i >= n) return;
  tile[t] = a[i];
  __syncthreads();
  out[i] = tile[t] + 10;
}
