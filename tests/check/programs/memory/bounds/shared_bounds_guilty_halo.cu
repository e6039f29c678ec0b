// A stencil whose tile has no halo: the first and the last thread of a block read beside it.
// says: just past the end of the block's shared memory of 1024 bytes
// says: 4 bytes before the start of the block's shared memory of 1024 bytes
// does not say: uninitialised
__global__ void mean(const float* a, float* b, int n) {
  __shared__ float t[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = a[i];
  __syncthreads();
  if (i == 0 || i == n - 1) return;
  float left = t[threadIdx.x - 1];   // finds C0104
  float right = t[threadIdx.x + 1];  // finds C0104
  b[i] = (left + t[threadIdx.x] + right) / 3;
}
int main() {
  float *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  cudaMemset(a, 0, 4096);
  mean<<<4, 256>>>(a, b, 1024);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  cudaFree(a);
  cudaFree(b);
}
