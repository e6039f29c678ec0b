// The fence stands before the data it is for.
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    __threadfence();
    *data = 42;  // finds C0203
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data;  // finds C0203
  }
}
int main() {
  int* p;
  cudaMalloc(&p, 12);
  cudaMemset(p, 0, 12);
  k<<<2, 1>>>(p, p + 1, p + 2);
  cudaDeviceSynchronize();
  cudaFree(p);
}
