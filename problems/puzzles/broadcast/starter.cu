// out[r][c] = a[r] + b[c]. The launch: one block, at least cols threads along x and rows along y.
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;
  // Your code.
}
