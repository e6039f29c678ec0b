// A stencil in place reads what the neighbouring block writes.
__global__ void blur(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i + 32 < n ? x[i] + x[i + 32] : x[i];  // finds C0203
  x[i] = v;  // finds C0203
}
int main() {
  float* x;
  cudaMalloc(&x, 128 * sizeof(float));
  cudaMemset(x, 0, 128 * sizeof(float));
  blur<<<4, 32>>>(x, 128);
  cudaDeviceSynchronize();
  cudaFree(x);
}
