// cudaFree of a pool's memory waits for nothing; cudaFreeAsync in the kernel's stream would be in order.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // finds C0205

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), s);
  fill<<<1, 32, 0, s>>>(x);
  cudaFree(x);  // finds C0205
  cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
}
