// verdict: unwritten
// why: multiplies by the number of rows where the length of a row is meant
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  int i = r * rows + c;
  if (r < rows && c < cols && i < rows * cols) out[i] = a[i] + 10;
}
