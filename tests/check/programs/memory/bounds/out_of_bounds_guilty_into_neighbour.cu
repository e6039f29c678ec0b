// What lies behind the allocation belongs to another one: a GPU says nothing.
__global__ void fill(int* a, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) a[i] = i;  // finds C0101
}
int main() {
  int *a, *b;
  cudaMalloc(&a, 512);
  cudaMalloc(&b, 512);
  fill<<<1, 32>>>(a, 160);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
