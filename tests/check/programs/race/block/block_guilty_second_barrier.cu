// The loop overwrites the tile while others still read it: the second barrier is missing.
__global__ void k(const int* in, int* out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x, sum = 0;
  for (int t = 0; t < n; ++t) {
    s[i] = in[t * 64 + i];  // finds C0201
    __syncthreads();
    sum += s[63 - i];  // finds C0201
  }
  out[i] = sum;
}
int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * 256);
  cudaMalloc(&out, 256);
  cudaMemset(in, 0, 4 * 256);
  k<<<1, 64>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
