// clean
#include <cstdio>
static void check(cudaError_t e, int line) {
  if (e != cudaSuccess) std::printf("line %d: %s\n", line, cudaGetErrorString(e));
}
int main() {
  check(cudaSetDevice(3), __LINE__);
  check(cudaDeviceSynchronize(), __LINE__);
}
