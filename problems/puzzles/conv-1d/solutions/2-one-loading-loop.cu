// solution: one list of what the block needs, and the threads take turns: elements, halo, taps
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  __shared__ float needed[128 + 3 + 4];
  int start = blockIdx.x * blockDim.x;
  int elements = blockDim.x + taps - 1;
  for (int k = threadIdx.x; k < elements + taps; k += blockDim.x) {
    if (k >= elements) needed[k] = b[k - elements];
    else needed[k] = start + k < n ? a[start + k] : 0;
  }
  __syncthreads();
  int t = threadIdx.x;
  if (start + t >= n) return;
  float sum = 0;
  for (int k = 0; k < taps; ++k) sum += needed[t + k] * needed[elements + k];
  out[start + t] = sum;
}
