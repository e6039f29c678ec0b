#include <cstdlib>
int main(int, char** words) {
  int* p;
  if (cudaMalloc(&p, 4) != cudaSuccess) return 1;
  cudaFree(p);
  return std::atoi(words[1]) != EXPECTED;
}
