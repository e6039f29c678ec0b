// A histogram of one's own, and a value that has no bin.
__global__ void k(const int* in, int* out) {
  int bins[8] = {};
  for (int i = 0; i < 32; ++i) ++bins[in[i]];  // finds C0105
  int most = 0;
  for (int b = 0; b < 8; ++b) most = max(most, bins[b]);
  out[threadIdx.x] = most;
}
int main() {
  int host[32], *in, *out;
  for (int i = 0; i < 32; ++i) host[i] = i == 20 ? 12 : i % 8;
  cudaMalloc(&in, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  cudaMalloc(&out, 128);
  k<<<1, 32>>>(in, out);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
