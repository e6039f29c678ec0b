// verdict: over-budget
// why: the guard looks at the index in memory: threads beyond a row's end do elements of the next row again
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  int i = r * cols + c;
  if (i < rows * cols) out[i] = a[i] + 10;
}
