// also by nvcc
// No turn of the loop sets the variable, and its value goes on from turn to turn.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  float best;  // finds C0307 with Clang
  float previous = 0;
  for (int j = 0; j < n; ++j) {
    if (in[j] > 3) best = in[j];
    previous = best;
  }
  out[i] = previous + 1;  // finds C0307
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
