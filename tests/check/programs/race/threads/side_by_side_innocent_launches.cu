// clean
// Launches whose blocks run on all host threads, and launches whose blocks do not, use the same shared memory in turns.
#include <cuda_runtime.h>

__global__ void scan(const int* x, int* sums) {
  __shared__ int steps[256];
  const int thread = threadIdx.x, i = blockIdx.x * 256 + thread;
  steps[thread] = x[i];
  for (int distance = 1; distance < 256; distance *= 2) {
    __syncthreads();
    const int before = thread >= distance ? steps[thread - distance] : 0;
    __syncthreads();
    steps[thread] += before;
  }
  sums[i] = steps[thread];
}

// Where it writes, memory says: that no two threads write to one place is not known beforehand.
__global__ void move(const int* to, const int* sums, int* moved) {
  __shared__ int tile[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = sums[i];
  __syncthreads();
  moved[to[i]] = tile[255 - threadIdx.x];
}

__global__ void turn_round(int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = n - 1 - i;
}

int main() {
  constexpr int kBlocks = 300, kCount = kBlocks * 256;
  int *x, *sums, *to, *moved;
  for (int** array : {&x, &sums, &to, &moved}) cudaMalloc(array, kCount * sizeof(int));
  cudaMemset(x, 0, kCount * sizeof(int));
  turn_round<<<kBlocks, 256>>>(to, kCount);
  for (int turn = 0; turn < 4; ++turn) {
    scan<<<kBlocks, 256>>>(x, sums);
    move<<<kBlocks, 256>>>(to, sums, moved);
    scan<<<kBlocks, 256>>>(moved, x);
  }
  for (int* array : {x, sums, to, moved}) cudaFree(array);
}
