// clean: the program looks, and goes on with less
#include <cstdio>
int main() {
  int* p = nullptr;
  if (cudaMalloc(&p, 1ull << 60) != cudaSuccess) cudaMalloc(&p, 1024);
  cudaFree(p);
}
