// The variable is another one in each turn of the loop.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  for (int j = 0; j < 2; ++j) {
    float v;  // finds C0307
    if (j == 0) v = in[i];
    out[i] = v;  // finds C0307
  }
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
