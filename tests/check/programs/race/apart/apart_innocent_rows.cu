// Rows that are as wide as the grid, and wider.
// clean
__global__ void rows(int* c, int n) {
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  c[row * n + column] = row;
}

int main() {
  int* c;
  cudaMalloc(&c, 64 * 64 * sizeof(int));
  dim3 grid(2, 2), block(16, 16);
  rows<<<grid, block>>>(c, 32);
  rows<<<grid, block>>>(c, 33);
  rows<<<grid, block>>>(c, 40);
  cudaDeviceSynchronize();
  cudaFree(c);
}
