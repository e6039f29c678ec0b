// The consumer has no fence: what it reads may be older than the flag.
__global__ void k(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;  // finds C0203
    __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
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
