// out[b] = sum of the elements of block b. The block's number of threads is a power of two, at most 256.
extern "C" __global__ void block_sum(float* out, const float* a, int n) {
  __shared__ float sums[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int t = threadIdx.x;
  // Your code.
}
