// The producer's fence reaches its own block only.
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // finds C0207
    __threadfence_block();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data;  // finds C0207
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
