// verdict: race
// why: the inputs are read from shared memory before all of them are there
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  __shared__ float column[32], row[32];
  int c = threadIdx.x;
  int r = threadIdx.y;
  if (c == 0 && r < rows) column[r] = a[r];
  if (r == 0 && c < cols) row[c] = b[c];
  if (r < rows && c < cols) out[r * cols + c] = column[r] + row[c];
}
