// A word of which one byte was never written: to copy it is no error, to add it is one.
__global__ void sums(const int* in, int* out, int tiles) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    tile[t] = in[i * 64 + t];
    __syncthreads();
    sum += tile[63 - t];  // finds C0302
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 2 * 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  cudaMemset(in + 64, 0, 64 * sizeof(int) - 1);
  sums<<<1, 64>>>(in, out, 2);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
