// out[r][c] = a[r][c] + 10. The launch: blocks of two axes that cover the matrix, cols along x, rows along y.
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  // Which row, which column? Your code.
}
