// Another stream's kernel comes when the memory has been given back.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // finds C0103

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), a);
  cudaFreeAsync(x, a);
  fill<<<1, 32, 0, b>>>(x);
  cudaError_t error = cudaDeviceSynchronize();
  cudaStreamDestroy(a), cudaStreamDestroy(b);
  return error == cudaSuccess;
}
