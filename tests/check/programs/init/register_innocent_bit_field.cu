// also by nvcc
// clean: one field of a word is set, and used before the other is
struct Fields {
  unsigned high : 24, low : 8;
};
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  Fields f;
  f.low = i;
  if (f.low > 3) out[i] = f.low;
  f.high = 3 * i;
  out[i] = f.high + f.low;
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
