// 2^24 numbers, counted in 256 bins in global memory, 10 times. Prints the largest bin.
#include <cstdio>

__global__ void count(const unsigned* numbers, unsigned* bins, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[numbers[i] % 256], 1u);
}

__global__ void fill(unsigned* numbers) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers[i] = i * 2654435761u >> 13;
}

int main() {
  constexpr int kCount = 1 << 24;
  unsigned *numbers, *bins, found[256], most = 0;
  cudaMalloc(&numbers, kCount * sizeof(unsigned));
  cudaMalloc(&bins, sizeof found);
  cudaMemset(bins, 0, sizeof found);
  fill<<<kCount / 256, 256>>>(numbers);
  for (int turn = 0; turn < 10; ++turn) count<<<2048, 256>>>(numbers, bins, kCount);
  cudaMemcpy(found, bins, sizeof found, cudaMemcpyDeviceToHost);
  for (unsigned bin : found) most = bin > most ? bin : most;
  printf("%u\n", most);
}
