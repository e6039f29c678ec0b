// Rows that a loop walks along, a word longer than they are apart.
__global__ void scale(float* x, int pitch, int n) {
  float* row = x + blockIdx.x * pitch;
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = blockIdx.x;  // finds C0203
}

int main() {
  float* x;
  cudaMalloc(&x, 8192 * sizeof(float));
  cudaMemset(x, 0, 8192 * sizeof(float));
  scale<<<4, 128>>>(x, 999, 1000);
  cudaDeviceSynchronize();
  cudaFree(x);
}
