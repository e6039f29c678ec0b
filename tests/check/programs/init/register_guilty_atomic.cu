// also by nvcc
// An atomic adds it.
__global__ void k(const float* in, float* out, int n) {
  float v;  // finds C0307 with Clang
  if (threadIdx.x < n) v = in[threadIdx.x];
  atomicAdd(out, v);  // finds C0307
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMemset(in, 0, 128);
  cudaMalloc(&out, 128);
  cudaMemset(out, 0, 128);
  k<<<1, 32>>>(in, out, 8);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
