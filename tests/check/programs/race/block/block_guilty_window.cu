// The window of a filter, in place: a thread's own element is the first it reads.
__global__ void k(int* a) {
  int sum = 0;
  for (int d = 0; d < 3; ++d) sum += a[threadIdx.x + d];  // finds C0201
  a[threadIdx.x] = sum;  // finds C0201
}
int main() {
  int* a;
  cudaMalloc(&a, 272);
  cudaMemset(a, 0, 272);
  k<<<1, 64>>>(a);
  cudaDeviceSynchronize();
  cudaFree(a);
}
