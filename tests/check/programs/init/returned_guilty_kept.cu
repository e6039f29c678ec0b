// A pointer that an inner function leaves in shared memory, and its own thread follows later.
__device__ void remember(int** where, int v) {
  int own[2] = {v, v + 1};
  where[threadIdx.x] = own + 1;
}
__global__ void k(int* out) {
  __shared__ int* where[32];
  remember(where, threadIdx.x);
  out[threadIdx.x] = *where[threadIdx.x];  // finds C0303
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
