// clean: volatile accesses are relaxed ones of system scope (PTX ISA, 9.7.9.8 and 8.4): which value is read is open, no data race
__global__ void k(int* out) {
  __shared__ volatile int s[32];
  int i = threadIdx.x;
  s[i] = i;
  out[i] = s[(i + 1) % 32];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
