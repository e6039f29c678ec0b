// All threads read the sum so far in each turn, when the next turn may have begun.
__global__ void normalise(float* x, int n) {
  __shared__ float part[256];
  const int t = threadIdx.x;
  part[t] = x[t];
  __syncthreads();
  for (int offset = 128; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];  // finds C0201
    __syncthreads();
    x[t] += part[0];  // finds C0201
  }
  x[t] = part[0];
}

int main() {
  float* x;
  cudaMalloc(&x, 256 * sizeof(float));
  cudaMemset(x, 0, 256 * sizeof(float));
  normalise<<<1, 256>>>(x, 3);
  cudaDeviceSynchronize();
  cudaFree(x);
}
