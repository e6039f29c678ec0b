// One program that ends as its argument says: the runner's test needs one of every kind.
#include <cstdio>
#include <cstdlib>
#include <cstring>

// Not there, so not in the headers either.
extern "C" cudaError_t cudaImportExternalMemory(void** memory, const void* handle);

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
  if (!strcmp(end, "ask") && cudaImportExternalMemory(nullptr, nullptr) != cudaSuccess) return 3;
  return !strcmp(end, "fail");
}
