// The array is the caller's.
// clean
__device__ int* squares(int* all, int n) {
  for (int i = 0; i < 4; ++i) all[i] = n * i * i;
  return all;
}
__global__ void k(int* out) {
  int own[4];
  const int* all = squares(own, threadIdx.x);
  out[threadIdx.x] = all[2];
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
