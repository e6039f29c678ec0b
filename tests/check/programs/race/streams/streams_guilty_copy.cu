// The copy back does not wait for the kernel of the other stream.
__global__ void write(int* x) { x[threadIdx.x] = 1; }  // finds C0204
int main() {
  int *x, *host;
  cudaStream_t a, b;
  cudaMalloc(&x, 128);
  cudaMallocHost(&host, 128);
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  write<<<1, 32, 0, a>>>(x);
  cudaMemcpyAsync(host, x, 128, cudaMemcpyDeviceToHost, b);  // finds C0204
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFreeHost(host);
}
