// Each thread reads the word that the next one writes.
__global__ void smooth(float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i] = (y[i] + y[i + 1]) / 2;  // finds C0201, C0203
}

int main() {
  float* y;
  cudaMalloc(&y, 256 * sizeof(float));
  cudaMemset(y, 0, 256 * sizeof(float));
  smooth<<<2, 128>>>(y, 256);
  cudaDeviceSynchronize();
  cudaFree(y);
}
