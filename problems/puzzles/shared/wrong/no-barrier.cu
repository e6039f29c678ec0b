// verdict: race
// why: another thread's element is used before it is there
extern "C" __global__ void shared(float* out, const float* a, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;

  int count = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));
  if (t < count) tile[count - 1 - t] = a[i];
  if (t < count) out[blockIdx.x * blockDim.x + count - 1 - t] = tile[t] + 10;
}
