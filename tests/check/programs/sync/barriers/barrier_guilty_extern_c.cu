// A kernel whose name says nothing of its parameters: the guard goes to its end.
extern "C" __global__ void k(int* x, int n) {
  int i = threadIdx.x;
  x[i] = i;
  if (i < n) {
    __syncthreads();  // finds C0401
    x[i] += 1;
  }
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x, 40);
  cudaDeviceSynchronize();
  cudaFree(x);
}
