// The consumer's fence reaches its own block only.
__global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // finds C0207
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence_block();
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
