// Rows of 31 words are written by 32 threads: the last of each and the first of the next one share a word.
__global__ void rows(int* c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  c[row * n + column] = row;  // finds C0203
}

int main() {
  int* c;
  cudaMalloc(&c, 64 * 64 * sizeof(int));
  dim3 grid(2, 2), block(16, 16);
  rows<<<grid, block>>>(c, 31);
  cudaDeviceSynchronize();
  cudaFree(c);
}
