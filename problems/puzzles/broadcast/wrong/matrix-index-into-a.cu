// verdict: out-of-bounds
// why: reads a as if it were the whole matrix
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + b[c];
}
