// clean: the flag is set by atomics
__global__ void k(int* out, int* found) {
  if (threadIdx.x % 3 == 0) atomicExch(found, 1);
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}
int main() {
  int* out;
  cudaMalloc(&out, 512);
  k<<<2, 32>>>(out, out + 64);
  cudaDeviceSynchronize();
  cudaFree(out);
}
