// also by nvcc
// clean: set and used under one condition
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  float v, w;
  if (i < n) v = in[i], w = 2;
  __syncthreads();
  if (i < n) out[i] = v * w;
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
