// verdict: over-budget
// why: all threads load, one adds
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sums[128];
  int r = blockIdx.y;
  int c = threadIdx.x;
  sums[c] = c < cols ? a[r * cols + c] : 0;
  __syncthreads();
  if (c != 0) return;
  float sum = 0;
  for (int k = 0; k < cols; ++k) sum += sums[k];
  out[r] = sum;
}
