// A variable that is set on one way only.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  float v;  // finds C0307
  if (i < n) v = 1;
  out[i] = v;  // finds C0307
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
