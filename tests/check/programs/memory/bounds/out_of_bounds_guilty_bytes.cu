// Allocated in elements, used in elements of four bytes.
__global__ void fill(int* a) { a[threadIdx.x] = 1; }  // finds C0101
int main() {
  int* a;
  cudaMalloc(&a, 64);
  fill<<<1, 64>>>(a);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(a);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
