// The struct was copied, what it points to was not.
#include <cstdlib>
struct View {
  int* data;
  int n;
};
__global__ void k(View v) {
  if (threadIdx.x < v.n) v.data[threadIdx.x] = 1;  // finds C0108
}
int main() {
  View v{(int*)std::malloc(128), 32};
  k<<<1, 32>>>(v);
  cudaError_t e = cudaDeviceSynchronize();
  std::free(v.data);
  return e != cudaSuccess && e != cudaErrorIllegalAddress;
}
