// Each step frees what it has read, behind the kernel that read it.
// clean
__global__ void step(const int* from, int* to) { to[threadIdx.x] = from[threadIdx.x] + 1; }

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  int *now, *next;
  cudaMallocAsync(&now, 32 * sizeof(int), s);
  cudaMemsetAsync(now, 0, 32 * sizeof(int), s);
  for (int round = 0; round < 5; ++round) {
    cudaMallocAsync(&next, 32 * sizeof(int), s);
    step<<<1, 32, 0, s>>>(now, next);
    cudaFreeAsync(now, s);
    now = next;
  }
  cudaFreeAsync(now, s);
  cudaError_t error = cudaStreamSynchronize(s);
  cudaStreamDestroy(s);
  return error != cudaSuccess;
}
