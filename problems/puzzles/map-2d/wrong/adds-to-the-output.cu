// verdict: uninitialised
// why: adds to what is in the output, which was never written
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (r < rows && c < cols) out[r * cols + c] += a[r * cols + c] + 10;
}
