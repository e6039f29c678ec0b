// A member that is set on one way only.
struct Pair {
  float first, second;
};
__global__ void k(const float* in, float* out, int n) {
  int i = threadIdx.x;
  Pair p;  // finds C0307
  p.second = 2;
  if (in[i] > 0) p.first = in[i];
  out[i] = p.first * p.second;  // finds C0307
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
