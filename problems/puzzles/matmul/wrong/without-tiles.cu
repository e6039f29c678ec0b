// verdict: over-budget
// why: reads a row of a and a column of b from global memory
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= n || c >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[r * n + k] * b[k * n + c];
  out[r * n + c] = sum;
}
