// Of two variables that may be undefined, the one that the other lane had: thread 4 is given `first`.
__global__ void k(float* out, int n, int m) {
  float first;  // finds C0307 with Clang
  float second, v = 3;
  if (n > 100) first = 1;
  if (m > 100) second = 2;
  if (threadIdx.x == 5) v = first;
  if (threadIdx.x == 6) v = second;
  const float w = __shfl_down_sync(0xffffffff, v, 1);
  if (threadIdx.x == 4) out[0] = w + 1;  // finds C0307
}
int main() {
  float* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 0, 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}
