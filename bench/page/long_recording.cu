// A block that executes more than ten million steps, and different ones: it sorts rows of 2048 numbers, one after the
// other, each by a bitonic network in shared memory. So there are steps of all looks: loads and stores side by side,
// bank conflicts, lanes that go different ways, barriers. `warpwise trace --steps=10000000` records it.
#include <cuda_runtime.h>

constexpr int kLength = 2048;

__global__ void sort_rows(int* numbers, int rows) {
  __shared__ int row[kLength];
  for (int r = 0; r < rows; ++r) {
    int* mine = numbers + r * kLength;
    for (int i = threadIdx.x; i < kLength; i += blockDim.x) row[i] = mine[i];
    __syncthreads();
    for (int sorted = 2; sorted <= kLength; sorted *= 2)
      for (int apart = sorted / 2; apart > 0; apart /= 2) {
        int low = 2 * apart * (threadIdx.x / apart) + threadIdx.x % apart, high = low + apart;
        bool up = (low & sorted) == 0;
        int a = row[low], b = row[high];
        if ((a > b) == up) {
          row[low] = b;
          row[high] = a;
        }
        __syncthreads();
      }
    for (int i = threadIdx.x; i < kLength; i += blockDim.x) mine[i] = row[i];
    __syncthreads();
  }
}

__global__ void scatter(int* numbers, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = i * 1103515245 + 12345;
}

int main() {
  constexpr int rows = 180, count = rows * kLength;
  int* numbers = nullptr;
  cudaMalloc(&numbers, count * sizeof(int));
  scatter<<<count / 256, 256>>>(numbers, count);
  sort_rows<<<1, kLength / 2>>>(numbers, rows);
  return cudaDeviceSynchronize();
}
