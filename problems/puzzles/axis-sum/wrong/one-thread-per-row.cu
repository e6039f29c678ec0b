// verdict: over-budget
// why: the first thread adds up its row alone
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  int r = blockIdx.y;
  if (threadIdx.x != 0) return;
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c];
  out[r] = sum;
}
