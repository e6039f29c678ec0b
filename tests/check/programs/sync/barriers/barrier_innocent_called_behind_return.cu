// clean: threads have returned before the barrier that stands in a condition of the function they would have called
#define STOP_BEHIND(end) \
  if (i >= end) return
__device__ int neighbours(int* s, int i, bool twice) {
  int v = s[i ^ 1];
  if (twice) {
    __syncthreads();
    s[i] = v;
    __syncthreads();
    v = s[i ^ 1];
  }
  return v;
}
__global__ void by_word(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  if (i >= n) return;
  x[i] = neighbours(s, i, n > 8);
}
__global__ void by_macro(int* x, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
  s[i] = i;
  __syncthreads();
  STOP_BEHIND(n);
  if (n > 8) x[i] = neighbours(s, i, true);
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  by_word<<<1, 64>>>(x, 40);
  by_macro<<<1, 64>>>(x, 40);
  cudaDeviceSynchronize();
  cudaFree(x);
}
