// A pool of the program's own, and what it hands out is one piece after the other.
// clean
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

int main() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  cudaMemPoolCreate(&pool, &properties);
  cudaStream_t s;
  cudaStreamCreate(&s);
  for (int round = 0; round < 4; ++round) {
    int* x;
    cudaMallocFromPoolAsync(&x, 32 * sizeof(int), pool, s);
    fill<<<1, 32, 0, s>>>(x);
    cudaFreeAsync(x, s);
  }
  cudaStreamSynchronize(s);
  cudaMemPoolDestroy(pool), cudaStreamDestroy(s);
}
