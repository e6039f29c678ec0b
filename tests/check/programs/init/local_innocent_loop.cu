// clean: set in a loop, read in another
__global__ void k(float* out, int n) {
  float sums[4];
  for (int i = 0; i < 4; ++i) sums[i] = 0;
  for (int i = 0; i < n; ++i) sums[i % 4] += i;
  out[threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
int main() {
  float* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 9);
  cudaDeviceSynchronize();
  cudaFree(out);
}
