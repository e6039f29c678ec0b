// The free stands before the last kernel of the same stream.
__global__ void add(int* x, int v) { x[threadIdx.x] += v; }  // finds C0103

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), s);
  cudaMemsetAsync(x, 0, 32 * sizeof(int), s);
  add<<<1, 32, 0, s>>>(x, 1);
  cudaFreeAsync(x, s);
  add<<<1, 32, 0, s>>>(x, 2);
  cudaError_t error = cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  return error == cudaSuccess;
}
