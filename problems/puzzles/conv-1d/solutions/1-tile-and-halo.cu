// solution: each thread loads one element; four threads load the taps, three others the halo
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  __shared__ float tile[128 + 3];
  __shared__ float weights[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  tile[t] = i < n ? a[i] : 0;
  if (t < taps) weights[t] = b[t];
  int h = t - 4, next = (blockIdx.x + 1) * blockDim.x + h;
  if (h >= 0 && h < taps - 1) tile[blockDim.x + h] = next < n ? a[next] : 0;
  __syncthreads();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += tile[t + k] * weights[k];
  out[i] = sum;
}
