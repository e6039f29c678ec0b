// verdict: unwritten
// why: x is the row, y the column: the block is not large enough that way round
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int r = threadIdx.x;
  int c = threadIdx.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
