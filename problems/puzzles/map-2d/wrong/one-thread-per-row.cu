// verdict: over-budget
// why: the first thread of each row does the whole row
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  if (c == 0 && r < rows)
    for (; c < cols; ++c) out[r * cols + c] = a[r * cols + c] + 10;
}
