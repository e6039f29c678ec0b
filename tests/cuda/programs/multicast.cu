// Multicast objects: memory of several devices behind one address, which kernels sum, store to and reduce with multimem.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

static const char* name_of(CUresult result) {
  const char* name = "?";
  cuGetErrorName(result, &name);
  return name;
}
#define CHECK(call)                                                                     \
  do {                                                                                  \
    if (CUresult r = (call); r != CUDA_SUCCESS) printf("%s: %s\n", #call, name_of(r)); \
  } while (0)
#define SHOW(call) printf("%s: %s\n", #call, name_of(call))

// An all-reduce in place: each device sums its share of all copies and writes the sum to all of them.
__global__ void all_reduce(float* multicast, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  float x, y, z, w;
  asm volatile("multimem.ld_reduce.relaxed.sys.global.add.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(multicast + i) : "memory");
  asm volatile("multimem.st.relaxed.sys.global.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(multicast + i), "f"(x), "f"(y), "f"(z), "f"(w) : "memory");
}

// A signal to all devices at once, as a barrier between them begins.
__global__ void signal(unsigned* multicast) { asm volatile("multimem.red.release.sys.global.add.u32 [%0], %1;" ::"l"(multicast), "r"(1) : "memory"); }

__global__ void touch(float* at) { *at = 1; }

struct Range {
  CUdeviceptr address = 0;
  size_t bytes = 0;
};

static Range map(CUmemGenericAllocationHandle handle, size_t bytes, int devices, CUmemAccess_flags flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE) {
  Range range{0, bytes};
  CHECK(cuMemAddressReserve(&range.address, bytes, 0, 0, 0));
  CHECK(cuMemMap(range.address, bytes, 0, handle, 0));
  std::vector<CUmemAccessDesc> access;
  for (int d = 0; d < devices; ++d) access.push_back({{CU_MEM_LOCATION_TYPE_DEVICE, d}, flags});
  CHECK(cuMemSetAccess(range.address, bytes, access.data(), access.size()));
  return range;
}

static void unmap(const Range& range) {
  CHECK(cuMemUnmap(range.address, range.bytes));
  CHECK(cuMemAddressFree(range.address, range.bytes));
}

static CUmemGenericAllocationHandle memory_of(int device, size_t bytes) {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
  properties.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  CUmemGenericAllocationHandle handle = 0;
  CHECK(cuMemCreate(&handle, bytes, &properties, 0));
  return handle;
}

int main() {
  CHECK(cuInit(0));
  int devices = 0, supported = 0;
  CHECK(cuDeviceGetCount(&devices));
  for (int d = 0; d < devices; ++d) {
    CUdevice device;
    CHECK(cuDeviceGet(&device, d));
    CHECK(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device));
    printf("device %d supports multicast: %d\n", d, supported);
  }
  cudaSetDevice(0);
  cudaFree(nullptr);

  CUmulticastObjectProp properties = {};
  properties.numDevices = devices;
  properties.handleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  size_t least = 0, best = 0;
  properties.size = 1;
  CHECK(cuMulticastGetGranularity(&least, &properties, CU_MULTICAST_GRANULARITY_MINIMUM));
  CHECK(cuMulticastGetGranularity(&best, &properties, CU_MULTICAST_GRANULARITY_RECOMMENDED));
  printf("granularity %zu, the recommended one is a multiple: %d\n", least, best % least == 0);
  const size_t bytes = 2 * least;

  CUmemGenericAllocationHandle object = 0;
  SHOW(cuMulticastCreate(&object, &properties));  // one byte
  properties.size = bytes;
  properties.numDevices = devices + 1;
  SHOW(cuMulticastCreate(&object, &properties));
  properties.numDevices = devices;
  CHECK(cuMulticastCreate(&object, &properties));

  std::vector<CUmemGenericAllocationHandle> memories;
  for (int d = 0; d < devices; ++d) memories.push_back(memory_of(d, bytes));
  CUmemAllocationProp asked = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&asked, memories.back()));
  printf("the last memory is of the last device: %d\n", asked.location.id == devices - 1);

  SHOW(cuMulticastBindMem(object, 0, memories[0], 0, bytes, 0));  // devices are missing
  for (int d = 0; d < devices; ++d) CHECK(cuMulticastAddDevice(object, d));
  SHOW(cuMulticastAddDevice(object, 0));  // twice
  std::vector<Range> own;
  for (int d = 0; d < devices; ++d) {
    own.push_back(map(memories[d], bytes, devices));
    // The first half by handle, the second by address.
    CHECK(cuMulticastBindMem(object, 0, memories[d], 0, least, 0));
    if (d != 1) CHECK(cuMulticastBindAddr(object, least, own[d].address + least, least, 0));
  }
  SHOW(cuMulticastBindMem(object, 0, memories[0], 0, least, 0));      // taken
  SHOW(cuMulticastBindMem(object, least, memories[0], 0, bytes, 0));  // too long
  SHOW(cuMulticastBindMem(memories[0], 0, memories[0], 0, least, 0));
  const Range multicast = map(object, bytes, devices);
  if (devices > 1) CHECK(cuMulticastBindAddr(object, least, own[1].address + least, least, 0));

  // Numbers across the boundary of the two bindings.
  const int n = 1 << 12;
  const size_t at = least - n / 2 * sizeof(float);
  std::vector<float> numbers(n), sums(n);
  for (int d = 0; d < devices; ++d) {
    for (int i = 0; i < n; ++i) numbers[i] = float(i) + 1000 * d, sums[i] += numbers[i];
    CHECK(cuMemcpyHtoD(own[d].address + at, numbers.data(), n * sizeof(float)));
  }
  // The copies need no address of their own.
  unmap(own[0]);
  all_reduce<<<n / 4 / 128, 128>>>(reinterpret_cast<float*>(multicast.address + at), n);
  printf("all_reduce: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  own[0] = map(memories[0], bytes, devices);
  int wrong = 0;
  for (int d = 0; d < devices; ++d) {
    CHECK(cuMemcpyDtoH(numbers.data(), own[d].address + at, n * sizeof(float)));
    for (int i = 0; i < n; ++i) wrong += numbers[i] != sums[i];
  }
  printf("%d of %d numbers are wrong\n", wrong, n * devices);

  for (int d = 0; d < devices; ++d) CHECK(cuMemsetD32(own[d].address, d, 1));
  for (int d = 0; d < devices; ++d) {
    cudaSetDevice(d);
    signal<<<1, 32>>>(reinterpret_cast<unsigned*>(multicast.address));
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  wrong = 0;
  for (int d = 0; d < devices; ++d) {
    unsigned seen = 0;
    CHECK(cuMemcpyDtoH(&seen, own[d].address, sizeof seen));
    wrong += seen != unsigned(32 * devices + d);
  }
  printf("%d signals are wrong\n", wrong);

  SHOW(cuMulticastUnbind(object, 0, least, bytes));
  for (int d = 0; d < devices; ++d) CHECK(cuMulticastUnbind(object, d, least, least));
  SHOW(cuMulticastUnbind(object, 0, least, least));
  int descriptor = -1;
  SHOW(cuMemExportToShareableHandle(&descriptor, object, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  // Memory that is bound lives on without its handle.
  for (int d = 0; d < devices; ++d) {
    unmap(own[d]);
    CHECK(cuMemRelease(memories[d]));
  }
  signal<<<1, 1>>>(reinterpret_cast<unsigned*>(multicast.address));
  printf("signal without other addresses: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  signal<<<1, 1>>>(reinterpret_cast<unsigned*>(multicast.address + least));
  printf("signal where nothing is bound: %s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return 0;
}
