// The block of the highest number divides the sum, as if the others were done by then: it does not ask.
__global__ void mean(const float* in, float* out, int n) {
  if (threadIdx.x == 0) atomicAdd(out, in[blockIdx.x]);  // finds C0206
  if (threadIdx.x == 0 && blockIdx.x == gridDim.x - 1) *out /= n;  // finds C0206
}
int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * 4);
  cudaMalloc(&out, 4);
  cudaMemset(in, 0, 64 * 4);
  cudaMemset(out, 0, 4);
  mean<<<64, 32>>>(in, out, 64);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
