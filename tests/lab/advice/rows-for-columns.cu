// problem: puzzles/map-2d
// verdict: unwritten
// says: (row 0, column
// The axes are swapped, so wide arrays have columns that no thread reaches.
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int row = threadIdx.x, column = threadIdx.y;
  if (row < rows && column < cols) out[row * cols + column] = a[row * cols + column] + 10;
}
