// clean
__global__ void k(int* x) { x[threadIdx.x] = 1; }

int main() {
  int* x;
  cudaMallocManaged(&x, 128);
  k<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  int sum = x[3];
  cudaFree(x);
  return sum != 1;
}
