// verdict: out-of-bounds
// why: threads beyond the last column go into the next row, and past the end of the last one
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows) out[r * cols + c] = a[r * cols + c] + 10;
}
