// Pools by the place of their memory (CUDA 13): a device's are those that the older functions give; and what wrong places are told.
#include <cuda_runtime.h>

#include <cstdio>

static void say(const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); }

int main() {
  cudaMemLocation here = {}, nowhere = {};
  here.type = cudaMemLocationTypeDevice;
  cudaMemPool_t first, second, made;
  say("default", cudaMemGetDefaultMemPool(&first, &here, cudaMemAllocationTypePinned));
  cudaDeviceGetDefaultMemPool(&second, 0);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = here;
  cudaMemPoolCreate(&made, &properties);
  say("set", cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, made));
  cudaMemPool_t current, also;
  say("get", cudaMemGetMemPool(&current, &here, cudaMemAllocationTypePinned));
  cudaDeviceGetMemPool(&also, 0);
  printf("%d %d %d\n", first == second, current == made, also == made);
  cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, first);
  cudaMemPoolDestroy(made);
  say("no place", cudaMemGetDefaultMemPool(&first, nullptr, cudaMemAllocationTypePinned));
  say("an empty place", cudaMemGetDefaultMemPool(&first, &nowhere, cudaMemAllocationTypePinned));
  say("no answer", cudaMemGetMemPool(nullptr, &here, cudaMemAllocationTypePinned));
  say("no pool", cudaMemSetMemPool(&here, cudaMemAllocationTypePinned, nullptr));
}
