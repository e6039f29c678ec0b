// A function that reads a flag, for the thread that waits for it.
// clean
__device__ int look(volatile int* p) { return *p; }
__device__ void raise(volatile int* p, int to) { *p = to; }

__global__ void hand_over(volatile int* flag, int* data, int* out) {
  if (blockIdx.x == 0) {
    *data = 7;
    __threadfence();
    raise(flag, 1);
  } else {
    while (look(flag) == 0) {}
    __threadfence();
    *out = *data;
  }
}

int main() {
  int *flag, *data, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  hand_over<<<2, 1>>>(flag, data, out);
  cudaDeviceSynchronize();
  cudaFree(flag), cudaFree(data), cudaFree(out);
}
