// clean: the last block has threads without work
__global__ void scale(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = 2.0f;
}
int main() {
  float* x;
  cudaMalloc(&x, 1000 * sizeof(float));
  scale<<<4, 256>>>(x, 1000);
  cudaDeviceSynchronize();
  cudaFree(x);
}
