// solution: the threads of a block walk down its columns: right, but a warp touches many rows
extern "C" __global__ void blocks_2d(float* out, const float* a, int rows, int cols) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int c = blockIdx.x * blockDim.x + thread / blockDim.y;
  int r = blockIdx.y * blockDim.y + thread % blockDim.y;
  if (r < rows && c < cols) out[r * cols + c] = a[r * cols + c] + 10;
}
