// Pools by the location of their memory (CUDA 13): a device's pools are those that the older functions return, in both
// APIs; the errors for wrong
// locations. Several attributes of managed memory at once.
#include <cuda.h>
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

  CUmemLocation device = {};
  device.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUmemoryPool pool, set;
  printf("driver: %d", cuMemGetDefaultMemPool(&pool, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
  printf(" %d", cuMemSetMemPool(&device, CU_MEM_ALLOCATION_TYPE_PINNED, pool));
  printf(" %d", cuMemGetMemPool(&set, &device, CU_MEM_ALLOCATION_TYPE_PINNED));
  printf(" %d", set == pool && pool == second);
  printf(" %d\n", cuMemGetDefaultMemPool(&pool, nullptr, CU_MEM_ALLOCATION_TYPE_PINNED));

  int *managed, *plain, mostly = -7, by[2] = {-7, -7};
  cudaMallocManaged(&managed, 64), cudaMalloc(&plain, 64);
  void* answers[] = {&mostly, by};
  size_t sizes[] = {4, 8};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  say("attributes", cudaMemRangeGetAttributes(answers, sizes, attributes, 2, managed, 64));
  printf("%d %d %d\n", mostly, by[0], by[1]);
  say("of other memory", cudaMemRangeGetAttributes(answers, sizes, attributes, 2, plain, 64));
  say("no attributes", cudaMemRangeGetAttributes(answers, sizes, attributes, 0, managed, 64));
  say("no sizes", cudaMemRangeGetAttributes(answers, nullptr, attributes, 2, managed, 64));
  mostly = -7;
  CUmem_range_attribute same[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY};
  printf("driver: %d", cuMemRangeGetAttributes(answers, sizes, same, 1, reinterpret_cast<CUdeviceptr>(managed), 64));
  printf(" %d\n", mostly);
  cudaFree(managed), cudaFree(plain);
}
