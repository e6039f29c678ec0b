__global__ void k(int* out, int n) {
  int a[8];
  for (int i = 0; i < n; ++i) a[i] = i;
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += a[i];  // finds C0303
  out[threadIdx.x] = sum;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 4);
  cudaDeviceSynchronize();
  cudaFree(out);
}
