// The loop has one round too many for the table.
__constant__ float weights[4];
__global__ void k(const float* x, float* y) {
  float sum = 0;
  for (int i = 0; i <= 4; ++i) sum += weights[i] * x[threadIdx.x];  // finds C0106
  y[threadIdx.x] = sum;
}
int main() {
  float *x, *y;
  cudaMalloc(&x, 128);
  cudaMalloc(&y, 128);
  cudaMemset(x, 0, 128);
  k<<<1, 32>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
