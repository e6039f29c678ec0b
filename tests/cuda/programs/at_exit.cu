// The end of a program: work that has not been waited for runs, its output appears, and static
// destructors may still use the runtime.
#include <cstdio>

__global__ void say(int n) { printf("kernel %d\n", n); }

struct Buffer {
  int* pointer = nullptr;
  ~Buffer() {
    std::printf("free: %s\n", cudaGetErrorName(cudaFree(pointer)));
  }
} buffer;

int main() {
  std::printf("malloc: %s\n", cudaGetErrorName(cudaMalloc((void**)&buffer.pointer, 64)));
  say<<<1, 1>>>(1);
  return 0;
}
