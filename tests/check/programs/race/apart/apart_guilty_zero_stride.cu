// A stride that is an argument: 2 and 1 are fine, 0 is not.
__global__ void spread(int* y, int stride) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i * stride] = i;  // finds C0201, C0203
}

int main() {
  int* y;
  cudaMalloc(&y, 1024 * sizeof(int));
  for (int stride = 2; stride >= 0; --stride) spread<<<2, 128>>>(y, stride);
  cudaDeviceSynchronize();
  cudaFree(y);
}
