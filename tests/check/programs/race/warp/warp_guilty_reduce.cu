// The last steps of a reduction as they were written before Volta.
__global__ void sum(int* x) {
  __shared__ int s[32];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncwarp();
  if (i < 16) s[i] += s[i + 16];  // finds C0202
  if (i < 8) s[i] += s[i + 8];  // finds C0202
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
