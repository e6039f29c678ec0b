// Another stream uses memory of a pool, and nothing says that the allocation's stream has come to it.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // finds C0204

int main() {
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), a);  // finds C0204
  fill<<<1, 32, 0, b>>>(x);
  cudaDeviceSynchronize();
  cudaFreeAsync(x, b);
  cudaStreamSynchronize(b);
  cudaStreamDestroy(a), cudaStreamDestroy(b);
}
