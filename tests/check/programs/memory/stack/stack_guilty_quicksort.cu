// Sorted input makes the recursion as deep as the input is long.
__device__ void sort(int* a, int low, int high) {  // finds C0109
  if (low >= high) return;
  volatile int seen[16];
  int pivot = a[high], at = low;
  for (int i = low; i < high; ++i) {
    seen[i & 15] = a[i];
    if (a[i] < pivot) {
      int t = a[i];
      a[i] = a[at];
      a[at++] = t;
    }
  }
  a[high] = a[at];
  a[at] = pivot;
  sort(a, low, at - 1);
  sort(a, at + 1, high);
}
__global__ void k(int* a, int n) { sort(a, 0, n - 1); }
int main() {
  static int host[2000];
  for (int i = 0; i < 2000; ++i) host[i] = i;
  int* a;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(a, 2000);
  cudaError_t e = cudaDeviceSynchronize();
  cudaFree(a);
  return e == cudaSuccess;
}
