// verdict: uninitialised
// why: only the first half of b is brought to shared memory
extern "C" __global__ void broadcast(float* out, const float* a, const float* b, int rows, int cols) {
  __shared__ float column[32], row[32];
  int c = threadIdx.x;
  int r = threadIdx.y;
  if (c == 0 && r < rows) column[r] = a[r];
  if (r == 0 && c < cols / 2) row[c] = b[c];
  __syncthreads();
  if (r < rows && c < cols) out[r * cols + c] = column[r] + row[c];
}
