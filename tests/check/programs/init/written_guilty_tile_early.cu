// Half of the threads leave before they fill their part of the tile.
__global__ void sums(const int* in, int* out, int tiles, int threads) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t >= threads) return;
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
  cudaMalloc(&in, 4 * 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 4 * 64 * sizeof(int));
  sums<<<1, 64>>>(in, out, 4, 32);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
