// thrust::sort of 32-bit keys on the device, as programs call it.
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

extern "C" void bench_sort(unsigned* keys, int count) { thrust::sort(thrust::device, keys, keys + count); }
