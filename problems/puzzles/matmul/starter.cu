// out = a · b, n × n. A block is a square of at most 16 × 16 threads; a thread may read 2 * ceil(n / blockDim.x) elements.
extern "C" __global__ void matmul(float* out, const float* a, const float* b, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  // Your code.
}
