// Turns of a loop that overlap with those of the next threads.
__global__ void scale(float* x, int pitch, int n) {
  float* row = x + blockIdx.x * pitch;
  for (int i = threadIdx.x; i < n; i += blockDim.x / 2) row[i] = threadIdx.x;  // finds C0201
}

int main() {
  float* x;
  cudaMalloc(&x, 8192 * sizeof(float));
  cudaMemset(x, 0, 8192 * sizeof(float));
  scale<<<4, 128>>>(x, 1000, 1000);
  cudaDeviceSynchronize();
  cudaFree(x);
}
