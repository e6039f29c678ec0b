// options: --with=outputs
// The arguments are in the wrong order: what was to be the output is never written.
__global__ void scale(float* out, const float* in) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
int main() {
  float *in, *out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 128);  // finds C0305
  cudaMemset(in, 0, 128);
  scale<<<1, 32>>>(in, in);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
