// A counter that was declared constant.
__constant__ int count;
__global__ void k(int* n) { atomicAdd(n, 1); }  // finds C0111
int main() {
  int* n;
  cudaGetSymbolAddress((void**)&n, count);
  k<<<1, 1>>>(n);
  cudaDeviceSynchronize();
}
