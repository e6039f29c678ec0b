// verdict: forbidden
// why: a library sorts
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>

extern "C" void solve(const unsigned int* input, unsigned int* output, int N) {
  cudaMemcpy(output, input, N * sizeof(unsigned int), cudaMemcpyDeviceToDevice);
  thrust::device_ptr<unsigned int> first(output);
  thrust::sort(first, first + N);
}
