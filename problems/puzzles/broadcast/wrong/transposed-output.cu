// verdict: wrong-value
// why: writes the matrix column after column
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[c * rows + r] = a[r] + b[c];
}
