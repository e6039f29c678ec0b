// clean: the flag is polled, and the data beside it is fenced on both sides
__global__ void k(int* data, volatile int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
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
