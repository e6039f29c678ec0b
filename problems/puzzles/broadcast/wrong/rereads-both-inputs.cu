// verdict: over-budget
// why: sums up in memory: a second write, and a read of what was just written
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) {
    out[r * cols + c] = a[r];
    out[r * cols + c] += b[c];
  }
}
