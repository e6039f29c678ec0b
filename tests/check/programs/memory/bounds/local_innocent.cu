// clean
__global__ void k(int* out, int n) {
  int a[8];
  for (int i = 0; i < 8; ++i) a[i] = i * n;
  out[threadIdx.x] = a[threadIdx.x % 8];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 3);
  cudaDeviceSynchronize();
  cudaFree(out);
}
