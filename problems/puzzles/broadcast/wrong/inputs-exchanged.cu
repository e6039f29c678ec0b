// verdict: wrong-value
// why: a is read by column and b by row
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] = a[c] + b[r];
}
