// cudaFree of a pool's memory once the host has waited.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int* x;
  cudaMallocAsync(&x, 32 * sizeof(int), s);
  fill<<<1, 32, 0, s>>>(x);
  cudaStreamSynchronize(s);
  cudaFree(x);
  cudaStreamDestroy(s);
}
