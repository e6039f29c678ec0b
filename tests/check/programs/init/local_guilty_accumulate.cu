// Sums that are not set to zero.
__global__ void k(const float* in, float* out, int n) {
  float sums[4];
  for (int i = 0; i < n; ++i) sums[i % 4] += in[i];  // finds C0303
  out[threadIdx.x] = sums[0] + sums[1] + sums[2] + sums[3];
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out, 32);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
