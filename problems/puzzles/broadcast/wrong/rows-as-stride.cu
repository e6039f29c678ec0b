// verdict: unwritten
// why: the stride of a row is taken from the wrong axis, so elements are left out
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols && r * rows + c < rows * cols) out[r * rows + c] = a[r] + b[c];
}
