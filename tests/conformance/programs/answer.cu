// One program that ends as its argument says: the runner's test wants one of every kind.
#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void sum(int* result) { atomicAdd(result, threadIdx.x); }

int main(int argc, char** argv) {
  const char* end = argc > 1 ? argv[1] : "";
  if (!strcmp(end, "spin"))
    for (volatile int forever = 1; forever;) {
    }
  if (!strcmp(end, "abort")) abort();
  int* result;
  cudaMallocManaged(&result, sizeof *result);
  *result = 0;
  sum<<<1, 6>>>(result);
  if (cudaDeviceSynchronize() != cudaSuccess) return 2;
  printf("the sum is %d\n", !strcmp(end, "lie") ? 16 : *result);
  if (!strcmp(end, "ask") && cudaMemRangeGetAttributes(nullptr, nullptr, nullptr, 0, result, sizeof *result) != cudaSuccess) return 3;
  return !strcmp(end, "fail");
}
