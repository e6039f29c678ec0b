// The second tile of the loop has words that were never written, and the third a word of which a byte was not.
__global__ void sums(const int* in, int* out, int tiles) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < tiles; ++i) {
    tile[t] = in[i * 64 + t];  // finds C0301
    __syncthreads();
    for (int k = 0; k < 4; ++k) sum += tile[(t + k) % 64];  // finds C0302
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 4 * 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 100 * sizeof(int));
  cudaMemset(in + 128, 0, 64 * sizeof(int) - 1);
  cudaMemset(in + 192, 0, 64 * sizeof(int));
  sums<<<1, 64>>>(in, out, 4);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
