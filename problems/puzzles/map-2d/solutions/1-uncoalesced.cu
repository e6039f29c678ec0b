// solution: x as the row: right where the block is large enough along both axes, so each thread first looks for its place
extern "C" __global__ void map_2d(float* out, const float* a, int rows, int cols) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int r = thread % blockDim.y;
  int c = thread / blockDim.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
