// Allocation, release and attributes of pointers; pinned and managed memory; pools.
#include "runtime_test.h"

namespace warpwise::cuda::testing {
namespace {

class MemoryTest : public RuntimeTest {};

TEST_F(MemoryTest, MallocAndFree) {
  void* p = reinterpret_cast<void*>(1);
  EXPECT_EQ(cudaMalloc(&p, 0), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaMalloc(nullptr, 16), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMalloc(&p, size_t{1} << 60), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&p, 1024), cudaSuccess);
  EXPECT_EQ(cudaFree(static_cast<char*>(p) + 4), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
}

TEST_F(MemoryTest, Pitched) {
  void* p = nullptr;
  size_t pitch = 0;
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, 100, 7), cudaSuccess);
  EXPECT_EQ(pitch, 512u);
  EXPECT_EQ(fake().find_allocation(reinterpret_cast<Address>(p))->size, 512u * 7);
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, 513, 2), cudaSuccess);
  EXPECT_EQ(pitch, 1024u);
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, 0, 2), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaMallocPitch(&p, &pitch, ~size_t{0}, 2), cudaErrorMemoryAllocation);
  cudaPitchedPtr box;
  EXPECT_EQ(cudaMalloc3D(&box, {100, 3, 4}), cudaSuccess);
  EXPECT_EQ(box.pitch, 512u);
  EXPECT_EQ(box.xsize, 100u);
  EXPECT_EQ(box.ysize, 3u);
}

TEST_F(MemoryTest, PinnedMemory) {
  void* p = nullptr;
  ASSERT_EQ(cudaMallocHost(&p, 256), cudaSuccess);
  void* on_device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&on_device, static_cast<char*>(p) + 8, 0), cudaSuccess);
  EXPECT_EQ(on_device, static_cast<char*>(p) + 8);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(p), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(p), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
  EXPECT_EQ(cudaHostAlloc(&p, 64, 0x100), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostAlloc(&p, 64, 1), cudaSuccess);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, p), cudaSuccess);
  EXPECT_EQ(flags, 3u);  // portable, and mapped as all pinned memory is
  int local = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, &local), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, RegisteredMemory) {
  static char pages[8192];
  char* page = pages + 4096;
  EXPECT_EQ(cudaHostRegister(page, 4096, 0), cudaSuccess);
  EXPECT_EQ(cudaHostRegister(page + 100, 10, 0), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostRegister(page - 10, 20, 0), cudaErrorHostMemoryAlreadyRegistered);
  void* on_device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&on_device, page, 0), cudaErrorNotSupported);
  EXPECT_EQ(cudaFreeHost(page), cudaErrorInvalidValue);
  EXPECT_EQ(cudaHostUnregister(page), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(page), cudaErrorHostMemoryNotRegistered);
  EXPECT_EQ(cudaHostRegister(page, 0, 0), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, PointerAttributes) {
  int* device = nullptr;
  int* managed = nullptr;
  int* pinned = nullptr;
  int local = 0;
  ASSERT_EQ(cudaMalloc(reinterpret_cast<void**>(&device), 64), cudaSuccess);
  ASSERT_EQ(cudaMallocManaged(reinterpret_cast<void**>(&managed), 64, 1), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(reinterpret_cast<void**>(&pinned), 64), cudaSuccess);
  cudaPointerAttributes a;
  EXPECT_EQ(cudaPointerGetAttributes(&a, device + 3), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  EXPECT_EQ(a.devicePointer, device + 3);
  EXPECT_EQ(a.hostPointer, nullptr);
  EXPECT_EQ(cudaPointerGetAttributes(&a, managed), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeManaged);
  EXPECT_EQ(a.hostPointer, managed);
  EXPECT_EQ(cudaPointerGetAttributes(&a, pinned), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaPointerGetAttributes(&a, &local), cudaSuccess);
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(a.device, -2);
  EXPECT_EQ(cudaPointerGetAttributes(nullptr, &local), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, AttributesStayInsideCuda12sStructure) {
  struct {
    char cuda12[24];
    char behind[8];
  } place = {{}, "untouch"};
  int local = 0;
  EXPECT_EQ(cudaPointerGetAttributes(reinterpret_cast<cudaPointerAttributes*>(&place), &local), cudaSuccess);
  EXPECT_STREQ(place.behind, "untouch");
}

TEST_F(MemoryTest, ManagedMemory) {
  void* p = nullptr;
  EXPECT_EQ(cudaMallocManaged(&p, 0, 1), cudaSuccess);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(cudaMallocManaged(&p, 64, 0x77), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMallocManaged(&p, 64, 1), cudaSuccess);
  cudaMemLocation gpu{cudaMemLocationTypeDevice, 0}, nowhere{cudaMemLocationTypeDevice, 7};
  EXPECT_EQ(cudaMemPrefetchAsync_cuda13(p, 64, gpu, 0, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync_cuda13(p, 65, gpu, 0, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPrefetchAsync_cuda13(p, 64, nowhere, 0, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(p, 64, -1, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(p, 64, 5, nullptr), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise_cuda13(p, 64, cudaMemAdviseSetReadMostly, nowhere), cudaSuccess);
  EXPECT_EQ(cudaMemAdvise_cuda13(p, 64, cudaMemAdviseSetAccessedBy, nowhere), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemAdvise_cuda13(p, 64, static_cast<cudaMemoryAdvise>(66), gpu), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(p, 64, cudaMemAdviseSetAccessedBy, -1), cudaSuccess);
  EXPECT_EQ(cudaStreamAttachMemAsync(nullptr, p, 0, 4), cudaSuccess);
  void* plain = nullptr;
  ASSERT_EQ(cudaMalloc(&plain, 64), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync_cuda13(plain, 64, gpu, 0, nullptr), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, Info) {
  size_t before = 0, after = 0, total = 0;
  EXPECT_EQ(cudaMemGetInfo(&before, &total), cudaSuccess);
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 4096), cudaSuccess);
  EXPECT_EQ(cudaMemGetInfo(&after, &total), cudaSuccess);
  EXPECT_EQ(before - after, 4096u);
  EXPECT_EQ(cudaMemGetInfo(nullptr, &total), cudaSuccess);
}

TEST_F(MemoryTest, Pools) {
  cudaMemPool_t pool = nullptr, other = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  void* p = nullptr;
  ASSERT_EQ(cudaMallocAsync(&p, 1000, nullptr), cudaSuccess);
  uint64_t used = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 1000u);
  EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaSuccess);
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &used), cudaSuccess);
  EXPECT_EQ(used, 1000u);
  // The reuse attributes are ints: an int after the value must not be overwritten.
  struct {
    int flag = 7, behind = 9;
  } reuse;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse.flag), cudaSuccess);
  EXPECT_EQ(reuse.flag, 1);
  EXPECT_EQ(reuse.behind, 9);

  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location = {cudaMemLocationTypeDevice, 0};
  props.maxSize = 100;
  ASSERT_EQ(cudaMemPoolCreate(&other, &props), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&p, 101, other, nullptr), cudaErrorMemoryAllocation);
  ASSERT_EQ(cudaMallocFromPoolAsync(&p, 100, other, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaMallocFromPoolAsync(&p, 1, other, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(p), cudaSuccess);  // memory of a destroyed pool lives on until it is freed
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
}

TEST_F(MemoryTest, EitherFreeTakesEitherMemory) {
  void* p = nullptr;
  ASSERT_EQ(cudaMalloc(&p, 64), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaErrorInvalidValue);
  ASSERT_EQ(cudaMallocAsync(&p, 64, nullptr), cudaSuccess);
  EXPECT_EQ(cudaFree(p), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(p, nullptr), cudaErrorInvalidValue);
}

}  // namespace
}  // namespace warpwise::cuda::testing
