// All threads read what a tree has summed up, and begin the next tree behind a barrier.
// clean
__global__ void sums(float* x, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    part[t] = x[t];
    __syncthreads();
    for (int offset = 128; offset > 0; offset /= 2) {
      if (t < offset) part[t] += part[t + offset];
      __syncthreads();
    }
    x[t] = part[0];
    __syncthreads();
  }
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  sums<<<1, 256>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
