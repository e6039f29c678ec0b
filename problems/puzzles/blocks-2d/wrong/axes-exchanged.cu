// verdict: unwritten
// why: x is the row, y the column: the grid is not large enough that way round
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  int c = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
