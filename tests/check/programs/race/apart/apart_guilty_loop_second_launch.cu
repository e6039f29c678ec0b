// The rows of the second launch overlap.
__global__ void scale(float* x, int pitch, int n) {
  float* row = x + blockIdx.x * pitch;
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] += 1;  // finds C0203
}

int main() {
  float* x;
  cudaMalloc(&x, 8192 * sizeof(float));
  cudaMemset(x, 0, 8192 * sizeof(float));
  scale<<<4, 128>>>(x, 1000, 1000);
  scale<<<4, 128>>>(x, 1000, 1001);
  cudaDeviceSynchronize();
  cudaFree(x);
}
