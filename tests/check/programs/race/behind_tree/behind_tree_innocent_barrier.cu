// All threads read what a tree has summed up, and wait before they use its words again.
// clean
__global__ void normalise(float* x, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int offset = 128; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
    __syncthreads();
  }
  const float sum = part[0];
  __syncthreads();
  part[t] = x[t] / (sum + n);
  __syncthreads();
  x[t] = part[255 - t];
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  normalise<<<1, 256>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
