// out[r] = sum of row r. One block per row; its number of threads is a power of two, at most 128.
extern "C" __global__ void axis_sum(float* out, const float* a, int rows, int cols) {
  __shared__ float sums[128];
  int r = blockIdx.y;
  int c = threadIdx.x;
  // Your code.
}
