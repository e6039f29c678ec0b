// verdict: forbidden
// why: a library sorts
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/sort.h>

extern "C" void solve(float* data, int N) {
  thrust::device_ptr<float> first(data);
  thrust::sort(first, first + N);
}
