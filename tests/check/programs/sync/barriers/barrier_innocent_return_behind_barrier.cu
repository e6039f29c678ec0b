// clean: threads that are done return, and the others come to the barrier of the next round without them
__global__ void k(const int* rounds, int* x) {
  __shared__ int s[64];
  int i = threadIdx.x;
  for (int round = 0;; ++round) {
    s[i] = round;
    __syncthreads();
    x[i] = s[i];
    if (round == rounds[i]) return;
  }
}
int main() {
  int *rounds, *x, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i % 8;
  cudaMalloc(&rounds, 256);
  cudaMalloc(&x, 256);
  cudaMemcpy(rounds, host, 256, cudaMemcpyHostToDevice);
  k<<<1, 64>>>(rounds, x);
  cudaDeviceSynchronize();
  cudaFree(rounds);
  cudaFree(x);
}
