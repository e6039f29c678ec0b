// verdict: out-of-bounds
// why: no guard at all
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  out[r * cols + c] = a[r] + b[c];
}
