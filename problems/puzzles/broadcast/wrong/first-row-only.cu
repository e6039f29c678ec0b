// verdict: unwritten
// why: only the first row of threads works
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r == 0 && c < cols) out[c] = a[0] + b[c];
}
