// verdict: out-of-bounds
// why: threads beyond the last column go into the next row, and past the end of the last one
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;

  if (r < rows) out[r * cols + c] = a[r * cols + c] + 10;
}
