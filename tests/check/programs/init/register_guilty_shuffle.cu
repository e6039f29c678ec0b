// also by nvcc
// Other lanes get it by shuffles.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  float sum;  // finds C0307 with Clang
  if (i < n) sum = in[i];
  for (int by = 16; by != 0; by /= 2) sum += __shfl_xor_sync(0xffffffff, sum, by);
  if (i == 0) out[0] = sum;  // finds C0307
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
