// clean: the host fills the tables, and kernels read them to their ends, also through pointers
__constant__ int table[8];
__device__ int squares[8];
__device__ int get(const int* p, int i) { return p[i]; }
__global__ void k(int* y, int which) { y[threadIdx.x] = get(which ? table : squares, threadIdx.x % 8); }
int main() {
  int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *y;
  cudaMalloc(&y, 128);
  cudaMemcpyToSymbol(table, host, sizeof host);
  cudaMemcpyToSymbol(squares, host, sizeof host);
  k<<<1, 32>>>(y, 0);
  k<<<1, 32>>>(y, 1);
  cudaDeviceSynchronize();
  cudaFree(y);
}
