// Copies, prefetches and discards that come in batches, implemented by the runtime (cuda/runtime/memory/batch.h).
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cuda/driver/call.h"

using namespace warpwise;
using namespace warpwise::cuda;
using namespace warpwise::cuda::driver;

namespace {

// More of them than operations is an error, which the runtime reports; the excess is not read.
size_t readable(const void* values, size_t count, size_t operations) {
  return values && count <= operations ? count : 0;
}

std::vector<void*> pointers_of(const CUdeviceptr* addresses, size_t count) {
  std::vector<void*> pointers;
  for (size_t k = 0; addresses && k < count; ++k) pointers.push_back(pointer_of(addresses[k]));
  return pointers;
}

CUresult copy_batch(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count, CUmemcpyAttributes* attributes,
                    size_t* first, size_t runs, size_t* failed, CUstream stream) {
  return forward("cuMemcpyBatchAsync", [&] {
    std::vector<void*> to = pointers_of(dsts, count), from = pointers_of(srcs, count);
    std::vector<cudaMemcpyAttributes> given(readable(attributes, runs, count));
    for (size_t k = 0; k < given.size(); ++k)
      given[k].srcAccessOrder = static_cast<cudaMemcpySrcAccessOrder>(attributes[k].srcAccessOrder);
    return cudaMemcpyBatchAsync(to.data(), from.data(), sizes, count, given.data(), first, runs, failed, stream);
  });
}

template <class Body>
CUresult with_locations(const char* function, CUdeviceptr* addresses, size_t count, CUmemLocation* locations,
                        size_t runs, Body body) {
  return forward(function, [&] {
    std::vector<void*> pointers = pointers_of(addresses, count);
    std::vector<cudaMemLocation> places(readable(locations, runs, count));
    for (size_t k = 0; k < places.size(); ++k) places[k] = location_of(locations[k]);
    return body(pointers.data(), places.data());
  });
}

// The structures equal the runtime's, member by member.
static_assert(sizeof(CUDA_MEMCPY3D_BATCH_OP) == sizeof(cudaMemcpy3DBatchOp) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, dst) == offsetof(cudaMemcpy3DBatchOp, dst) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, extent) == offsetof(cudaMemcpy3DBatchOp, extent) &&
              offsetof(CUDA_MEMCPY3D_BATCH_OP, srcAccessOrder) == offsetof(cudaMemcpy3DBatchOp, srcAccessOrder));

CUresult copy_boxes(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed, unsigned long long flags,
                    CUstream stream) {
  return forward("cuMemcpy3DBatchAsync", [&] {
    return cudaMemcpy3DBatchAsync(count, reinterpret_cast<cudaMemcpy3DBatchOp*>(operations), failed, flags, stream);
  });
}

}  // namespace

CUresult cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                              unsigned long long flags, CUstream stream) {
  return copy_boxes(count, operations, failed, flags, stream);
}
CUresult cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, unsigned long long flags,
                                 CUstream stream) {
  return copy_boxes(count, operations, nullptr, flags, stream);
}

CUresult cuMemcpyBatchAsync(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                            CUmemcpyAttributes* attributes, size_t* first, size_t runs, size_t* failed,
                            CUstream stream) {
  return copy_batch(dsts, srcs, sizes, count, attributes, first, runs, failed, stream);
}
CUresult cuMemcpyBatchAsync_v2(CUdeviceptr* dsts, CUdeviceptr* srcs, size_t* sizes, size_t count,
                               CUmemcpyAttributes* attributes, size_t* first, size_t runs, CUstream stream) {
  return copy_batch(dsts, srcs, sizes, count, attributes, first, runs, nullptr, stream);
}

CUresult cuMemPrefetchBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count, CUmemLocation* locations,
                                 size_t* first, size_t runs, unsigned long long flags, CUstream stream) {
  return with_locations("cuMemPrefetchBatchAsync", addresses, count, locations, runs,
                        [&](void** pointers, cudaMemLocation* places) {
                          return cudaMemPrefetchBatchAsync(pointers, sizes, count, places, first, runs, flags, stream);
                        });
}
CUresult cuMemDiscardBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count, unsigned long long flags,
                                CUstream stream) {
  return forward("cuMemDiscardBatchAsync", [&] {
    std::vector<void*> pointers = pointers_of(addresses, count);
    return cudaMemDiscardBatchAsync(pointers.data(), sizes, count, flags, stream);
  });
}
CUresult cuMemDiscardAndPrefetchBatchAsync(CUdeviceptr* addresses, size_t* sizes, size_t count,
                                           CUmemLocation* locations, size_t* first, size_t runs,
                                           unsigned long long flags, CUstream stream) {
  return with_locations("cuMemDiscardAndPrefetchBatchAsync", addresses, count, locations, runs,
                        [&](void** pointers, cudaMemLocation* places) {
                          return cudaMemDiscardAndPrefetchBatchAsync(pointers, sizes, count, places, first, runs, flags,
                                                                     stream);
                        });
}
