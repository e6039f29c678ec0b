// A local array is indexed past its end: other variables of the thread are overwritten, silently.
__global__ void k(int* out, int n) {
  int a[8];
  for (int i = 0; i < n; ++i) a[i] = i;  // finds C0105
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += a[i];
  out[threadIdx.x] = sum;
}
int main() {
  int* out;
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(out, 100000);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
