// also by nvcc
// The last active lane has no neighbour above: its index comes from nowhere.
// says: an address depends on the value
__global__ void k(const int* next, int* out) {
  const unsigned active = __ballot_sync(0xffffffff, threadIdx.x < 20);
  if (threadIdx.x < 20) {
    int above = __shfl_down_sync(active, next[threadIdx.x], 1);  // finds C0405
    out[threadIdx.x] = next[above];                              // finds C0405
  }
}
int main() {
  int *next, *out;
  cudaMalloc(&next, 128);
  cudaMemset(next, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(next, out);
  cudaDeviceSynchronize();
  cudaFree(next);
  cudaFree(out);
}
