// The guard is off by one.
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) x[i] = 2.0f;  // finds C0101
}
int main() {
  float* x;
  cudaMalloc(&x, 100 * sizeof(float));
  scale<<<1, 128>>>(x, 100);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(x);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
