// One thread of each block writes a word.
// clean
__global__ void sums(int* y, int stride) {
  if (threadIdx.x == 0) y[blockIdx.x * stride + blockIdx.y] = 1;
}

int main() {
  int* y;
  cudaMalloc(&y, 256 * sizeof(int));
  dim3 grid(4, 4);
  sums<<<grid, 64>>>(y, 4);
  sums<<<grid, 64>>>(y, 9);
  cudaDeviceSynchronize();
  cudaFree(y);
}
