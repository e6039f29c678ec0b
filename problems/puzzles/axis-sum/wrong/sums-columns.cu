// verdict: wrong-value
// why: rows and columns exchanged: block r adds up what lies below each other
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sums[128];
  int r = blockIdx.y;
  int c = threadIdx.x;
  sums[c] = c < rows && r < cols ? a[c * cols + r] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (c < half) sums[c] += sums[c + half];
    __syncthreads();
  }
  if (c == 0) out[r] = sums[0];
}
