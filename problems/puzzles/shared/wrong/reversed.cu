// verdict: wrong-value
// why: the elements of a block change places
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  int count = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
  if (t < count) tile[t] = a[i];
  __syncthreads();
  if (t < count) out[i] = tile[count - 1 - t] + 10;
}
