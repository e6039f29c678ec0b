// clean: the last byte of an odd size
__global__ void last(char* x, int n) {
  if (threadIdx.x == 0) x[n - 1] = 1;
}
int main() {
  char* x;
  cudaMalloc(&x, 1001);
  last<<<1, 32>>>(x, 1001);
  cudaDeviceSynchronize();
  cudaFree(x);
}
