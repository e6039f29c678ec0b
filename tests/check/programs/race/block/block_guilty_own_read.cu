// Each thread reads its neighbour's element and then its own, and writes its own.
__global__ void k(int* a) {
  int right = a[threadIdx.x + 1];  // finds C0201
  a[threadIdx.x] += right;  // finds C0201
}
int main() {
  int* a;
  cudaMalloc(&a, 260);
  cudaMemset(a, 0, 260);
  k<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
