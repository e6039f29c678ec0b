// The window of the last values begins before the array.
__global__ void k(const int* in, int* out, int back) {
  int last[4];
  for (int i = 0; i < 4; ++i) last[i] = in[i];
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += last[i - back];  // finds C0105
  out[threadIdx.x] = sum;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 16);
  cudaMemset(in, 0, 16);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out, 6);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
