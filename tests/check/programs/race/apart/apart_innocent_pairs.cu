// Two words for each thread.
// clean
__global__ void pairs(int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[2 * i] = i;
  y[2 * i + 1] = i;
}

int main() {
  int* y;
  cudaMalloc(&y, 1024 * sizeof(int));
  pairs<<<2, 128>>>(y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
