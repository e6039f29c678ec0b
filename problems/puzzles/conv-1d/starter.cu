// out[i] = sum of a[i + k] * b[k] for k < taps. A block has 8 to 128 threads, taps is at most 4.
extern "C" __global__ void conv_1d(float* out, const float* a, const float* b, int n, int taps) {
  __shared__ float tile[128 + 3];
  __shared__ float weights[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  // Your code.
}
