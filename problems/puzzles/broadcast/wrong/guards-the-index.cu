// verdict: over-budget
// why: the guard looks at the index in memory: elements of the next row are made once more, from wrapped coordinates
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;

  int i = r * cols + c;
  if (i < rows * cols) out[i] = a[i / cols] + b[i % cols];
}
