// Of two variables that may be undefined, the one that is chosen.
__global__ void k(float* out, int n, int m, int c) {
  float first;
  float second;  // finds C0307 with Clang
  if (n > 100) first = 1;
  if (m > 100) second = 2;
  out[threadIdx.x] = (c ? first : second) + 1;  // finds C0307
}
int main() {
  float* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 0, 0, 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}
