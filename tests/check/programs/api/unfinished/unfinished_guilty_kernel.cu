__global__ void k(int* p) { *p = 1; }
__device__ int cell;
int main() {
  int* p;
  cudaGetSymbolAddress((void**)&p, cell);
  k<<<1, 1>>>(p);  // finds C0511
}
