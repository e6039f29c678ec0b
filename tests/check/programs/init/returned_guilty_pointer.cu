// A function gives back a pointer to its own array.
__device__ int* squares(int n) {
  int all[4];
  for (int i = 0; i < 4; ++i) all[i] = n * i * i;
  int* first = all;
  asm volatile("" : "+l"(first));  // no compiler warns
  return first;
}
__global__ void k(int* out) {
  const int* all = squares(threadIdx.x);
  out[threadIdx.x] = all[2];  // finds C0303
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
