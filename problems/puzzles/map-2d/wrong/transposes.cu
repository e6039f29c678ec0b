// verdict: wrong-value
// why: reads the matrix as if it were stored column after column
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] = a[c * rows + r] + 10;
}
