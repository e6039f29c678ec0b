// clean: one kernel allocates, another one frees
#include <cstdlib>
__global__ void make(int** lists) {
  lists[threadIdx.x] = (int*)malloc(32);
  if (lists[threadIdx.x]) lists[threadIdx.x][0] = threadIdx.x;
}
__global__ void drop(int** lists) { free(lists[threadIdx.x]); }
int main() {
  int* out;
  cudaMalloc(&out, 512);
  int** lists = (int**)out;
  make<<<1, 32>>>(lists);
  drop<<<1, 32>>>(lists);
  cudaDeviceSynchronize();
  cudaFree(out);
}
