// options: --with=numbers
// clean: unsigned numbers wrap around, and a hash wants them to
__global__ void k(unsigned* hash) {
  unsigned h = 2166136261u + threadIdx.x;
  for (int i = 0; i < 100; ++i) h = (h ^ i) * 16777619u;
  hash[threadIdx.x] = h - 0xffffffffu;
}
int main() {
  unsigned* hash;
  cudaMalloc(&hash, 128);
  k<<<1, 32>>>(hash);
  cudaDeviceSynchronize();
  cudaFree(hash);
}
