// verdict: wrong-value
// why: the guard looks at the index in memory: the rest of the block takes elements of the next row
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sums[128];
  int r = blockIdx.y;
  int c = threadIdx.x;
  int i = r * cols + c;
  sums[c] = i < rows * cols ? a[i] : 0;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (c < half) sums[c] += sums[c + half];
    __syncthreads();
  }
  if (c == 0) out[r] = sums[0];
}
