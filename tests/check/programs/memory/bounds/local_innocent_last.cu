// clean: first and last element
__global__ void k(int* out, int n) {
  int a[8];
  for (int i = 0; i < n; ++i) a[n - 1 - i] = i;
  out[threadIdx.x] = a[0] + a[n - 1];
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 8);
  cudaDeviceSynchronize();
  cudaFree(out);
}
