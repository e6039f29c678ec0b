// It goes through shared memory, where a load tells.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float values[32];
  int i = threadIdx.x;
  float v;
  if (i < n) v = in[i];
  values[i] = v;
  __syncthreads();
  out[i] = values[31 - i];  // finds C0302
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
