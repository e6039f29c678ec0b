// verdict: out-of-bounds
// why: threads below the last row go past the end
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
