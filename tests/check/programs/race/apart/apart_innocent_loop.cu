// Rows that a loop walks along, each by a block.
// clean
__global__ void scale(float* x, int pitch, int n) {
  float* row = x + blockIdx.x * pitch;
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] = i;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) row[i] *= 2;
}

int main() {
  float* x;
  cudaMalloc(&x, 8192 * sizeof(float));
  cudaMemset(x, 0, 8192 * sizeof(float));
  scale<<<4, 128>>>(x, 1000, 1000);
  cudaDeviceSynchronize();
  cudaFree(x);
}
