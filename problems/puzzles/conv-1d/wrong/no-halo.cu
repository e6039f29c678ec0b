// verdict: uninitialised
// why: the halo is not loaded, so the last threads of a block find nothing
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  __shared__ float tile[128 + 3];
  __shared__ float weights[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  tile[t] = i < n ? a[i] : 0;
  if (t < taps) weights[t] = b[t];
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += tile[t + k] * weights[k];
  out[i] = sum;
}
