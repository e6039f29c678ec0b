// The same in global memory.
__global__ void k(int* x, int* y) {
  int i = threadIdx.x;
  x[i] = i;  // finds C0201
  y[i] = x[(i + 64) % 128];  // finds C0201
}
int main() {
  int *x, *y;
  cudaMalloc(&x, 512);
  cudaMalloc(&y, 512);
  k<<<1, 128>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
