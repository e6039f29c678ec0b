// verdict: unwritten
// why: leaves out the block index, so all blocks do the first one's part
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int c = threadIdx.x;
  int r = threadIdx.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
