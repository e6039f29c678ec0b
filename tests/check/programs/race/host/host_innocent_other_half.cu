// clean
// The kernel has the first half, the host the second.
__global__ void fill(int* x) { x[blockIdx.x * 32 + threadIdx.x] = threadIdx.x; }
int main() {
  int* x;
  cudaMallocManaged(&x, 8192);
  fill<<<32, 32>>>(x);
  for (int i = 1024; i < 2048; ++i) x[i] = i;
  cudaDeviceSynchronize();
  cudaFree(x);
}
