// verdict: race
// why: all threads keep their element in the same place
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  if (i < n) tile[0] = a[i];
  __syncthreads();
  if (i < n) out[i] = tile[0] + 10;
}
