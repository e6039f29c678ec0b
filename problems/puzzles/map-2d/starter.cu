// out[r][c] = a[r][c] + 10. The launch: one block, at least cols threads along x and rows along y.
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;
  // Your code.
}
