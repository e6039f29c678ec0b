// clean
__global__ void sum(int* x) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = x[i];
  for (int d = 16; d > 0; d /= 2) {
    __syncwarp();
    int other = i < d ? s[i + d] : 0;
    __syncwarp();
    if (i < d) s[i] += other;
  }
  if (i == 0) x[0] = s[0];
}
int main() {
  int* x;
  cudaMalloc(&x, 128);
  cudaMemset(x, 0, 128);
  sum<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
