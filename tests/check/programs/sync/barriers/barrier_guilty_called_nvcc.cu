// As nvcc builds it, where what NVIDIA's header does is a function of its own.
// options: --compiler=nvcc
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
template <class T>
struct alignas(8) Tile {
  T* values;
  __device__ T sum(cg::thread_block& block, int i) const {
    for (int stride = 32; stride > 0; stride /= 2) {
      if (i < stride) values[i] += values[i + stride];
      block.sync();  // finds C0401
    }
    return values[0];
  }
  __device__ void run(T* x, int n) {
    cg::thread_block block = cg::this_thread_block();
    int i = threadIdx.x;
    values[i] = i;
    block.sync();
    if (i < n) x[i] = sum(block, i);
  }
};
__global__ void k(int* x, int n) {
  __shared__ int s[64];
  Tile<int>{s}.run(x, n);
}
int main() {
  int* x;
  cudaMalloc(&x, 256);
  k<<<1, 64>>>(x, 40);
  cudaDeviceSynchronize();
  cudaFree(x);
}
