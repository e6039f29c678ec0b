// A pointer to a constant table loses its const on the way.
__constant__ int table[8];
__global__ void k(int** where, int i) { (*where)[i] = 1; }  // finds C0111
int main() {
  int **where, *address;
  cudaGetSymbolAddress((void**)&address, table);
  cudaMalloc(&where, sizeof(int*));
  cudaMemcpy(where, &address, sizeof address, cudaMemcpyHostToDevice);
  k<<<1, 1>>>(where, 3);
  cudaDeviceSynchronize();
  cudaFree(where);
}
