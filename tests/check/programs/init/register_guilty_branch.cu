// A branch depends on it.
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  bool found;  // finds C0307
  for (int j = 0; j < n; ++j)
    if (in[j] > 3) found = true;
  if (found)  // finds C0307
    out[i] = 1;
  else
    out[i] = 0;
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
