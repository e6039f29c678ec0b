// verdict: over-budget
// why: multiplies by the number of blocks instead of threads, so that blocks overlap
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int c = blockIdx.x * gridDim.x + threadIdx.x;
  int r = blockIdx.y * gridDim.y + threadIdx.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
