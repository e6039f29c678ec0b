// Two parameters lead to one allocation, a word apart.
__global__ void shift(int* to, const int* from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i] + 1;  // finds C0201, C0203
}

int main() {
  int* y;
  cudaMalloc(&y, 1024 * sizeof(int));
  cudaMemset(y, 0, 1024 * sizeof(int));
  shift<<<2, 128>>>(y, y + 512);
  shift<<<2, 128>>>(y, y + 1);
  cudaDeviceSynchronize();
  cudaFree(y);
}
