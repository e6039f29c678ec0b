// verdict: unwritten
// why: the second axis is forgotten
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  if (threadIdx.y == 0 && c < cols) out[c] = a[c] + 10;
}
