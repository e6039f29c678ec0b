// verdict: out-of-bounds
// why: no guard at all
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  out[r * cols + c] = a[r * cols + c] + 10;
}
