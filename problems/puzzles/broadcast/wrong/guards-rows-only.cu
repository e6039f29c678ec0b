// verdict: out-of-bounds
// why: threads beyond the last column read past the end of b
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows) out[r * cols + c] = a[r] + b[c];
}
