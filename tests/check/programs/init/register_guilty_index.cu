// also by nvcc
// An address depends on it.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  int at;  // finds C0307 with Clang
  for (int j = 0; j < n; ++j)
    if (in[j] > 3) at = j;
  out[i] = in[at];  // finds C0307
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
