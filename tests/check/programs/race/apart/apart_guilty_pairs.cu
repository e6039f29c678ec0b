// Two words for each thread, of which the second is the first of the next thread.
__global__ void pairs(int* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[2 * i] = i;  // finds C0201, C0203
  y[2 * i + 2] = i;  // finds C0201, C0203
}

int main() {
  int* y;
  cudaMalloc(&y, 1024 * sizeof(int));
  pairs<<<2, 128>>>(y);
  cudaDeviceSynchronize();
  cudaFree(y);
}
