// options: --with=numbers
// clean: the largest and the smallest number themselves, with warps that compute side by side
#include <climits>
__global__ void k(int* x) {
  __shared__ int tile[256];
  tile[threadIdx.x] = INT_MAX - 255 + (int)threadIdx.x;
  __syncthreads();
  int low = -tile[255 - threadIdx.x] - 1, high = tile[threadIdx.x] - 0;
  x[threadIdx.x] = low + high + (low == INT_MIN) + abs(high) / -1;
}
int main() {
  int* x;
  cudaMalloc(&x, 1024);
  k<<<1, 256>>>(x);
  cudaDeviceSynchronize();
  cudaFree(x);
}
