// verdict: race
// why: all rows are written to the first
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[c] = a[r * cols + c] + 10;
}
