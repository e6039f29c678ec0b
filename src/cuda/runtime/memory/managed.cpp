// Managed memory has one address and one copy for host and device, so nothing has to move. Prefetches and advice are
// checked. Where CUDA would remember advice, this library does not.
#include <cstring>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/batch.h"
#include "cuda/runtime/memory/places.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t check_managed(Process& process, device::Device& gpu, const void* pointer, size_t count) {
  if (!pointer || count == 0) return fail(cudaErrorInvalidValue, "an empty range");
  Place place = locate(process, gpu, pointer);
  if (!place.managed()) return fail(cudaErrorInvalidValue, "{} is not managed memory", pointer);
  return check_fits(place, {.width = count}, "the range");
}

cudaError_t check_location(cudaMemLocation location) {
  switch (location.type) {
    case cudaMemLocationTypeDevice:
      return require_device(location.id);
    case cudaMemLocationTypeHost:
    case cudaMemLocationTypeHostNuma:
    case cudaMemLocationTypeHostNumaCurrent:
      return cudaSuccess;
    case cudaMemLocationTypeInvalid:
      break;
  }
  return fail(cudaErrorInvalidValue, "{} is not a type of location", static_cast<unsigned>(location.type));
}

// CUDA 12 names locations by device; cudaCpuDeviceId (-1) is the host.
cudaMemLocation location_of_device(int device) {
  if (device == -1) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

// For a batch. `locations` is null where nothing is prefetched.
cudaError_t check_ranges(Process& process, device::Device& gpu, void* const* pointers, const size_t* sizes,
                         size_t count, const Runs* locations, unsigned long long flags, cudaStream_t stream) {
  if (!pointers || !sizes || count == 0) return fail(cudaErrorInvalidValue, "an empty batch");
  if (flags) return fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags);
  CUDA_TRY(check_batch_stream(process, gpu, stream));
  if (locations) {
    CUDA_TRY(check_runs(*locations, count));
    for (size_t k = 0; k < locations->count; ++k)
      CUDA_TRY(check_location(static_cast<const cudaMemLocation*>(locations->values)[k]));
  }
  for (size_t k = 0; k < count; ++k) CUDA_TRY(check_managed(process, gpu, pointers[k], sizes[k]));
  return cudaSuccess;
}

}  // namespace

cudaError_t cudaMemPrefetchAsync_cuda13(const void* pointer, size_t count, cudaMemLocation location, unsigned flags,
                                        cudaStream_t stream) {
  return call("cudaMemPrefetchAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (flags) return fail(cudaErrorInvalidValue, "flags {:#x}: must be 0", flags);
    CUDA_TRY(check_location(location));
    CUDA_TRY(check_managed(process, gpu, pointer, count));
    device::StreamId id;
    return process.streams.find(gpu, stream, &id);
  });
}

cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t count, cudaMemLocation location, unsigned flags,
                                    cudaStream_t stream) {
  return cudaMemPrefetchAsync_cuda13(pointer, count, location, flags, stream);
}

cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream) {
  return cudaMemPrefetchAsync_cuda13(pointer, count, location_of_device(device), 0, stream);
}

cudaError_t cudaMemAdvise_cuda13(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return call("cudaMemAdvise", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
      return fail(cudaErrorInvalidValue, "{} is not an advice", static_cast<unsigned>(advice));
    // These three do not use the location.
    bool anywhere = advice == cudaMemAdviseSetReadMostly || advice == cudaMemAdviseUnsetReadMostly ||
                    advice == cudaMemAdviseUnsetPreferredLocation;
    if (!anywhere) CUDA_TRY(check_location(location));
    return check_managed(process, gpu, pointer, count);
  });
}

cudaError_t cudaMemAdvise_v2(const void* pointer, size_t count, cudaMemoryAdvise advice, cudaMemLocation location) {
  return cudaMemAdvise_cuda13(pointer, count, advice, location);
}

cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise_cuda13(pointer, count, advice, location_of_device(device));
}

// CUDA's results for memory without advice: not read-mostly, no location.
cudaError_t cudaMemRangeGetAttribute(void* data, size_t size, cudaMemRangeAttribute attribute, const void* pointer,
                                     size_t count) {
  return call("cudaMemRangeGetAttribute", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!data || size < sizeof(int) || size % sizeof(int))
      return fail(cudaErrorInvalidValue, "the result buffer holds {} bytes", size);
    CUDA_TRY(check_managed(process, gpu, pointer, count));
    constexpr int kInvalidDevice = -2;
    int answer = kInvalidDevice;
    switch (attribute) {
      case cudaMemRangeAttributeReadMostly:
      case cudaMemRangeAttributePreferredLocationType:
      case cudaMemRangeAttributeLastPrefetchLocationType:
        answer = 0;
        break;
      case cudaMemRangeAttributePreferredLocation:
      case cudaMemRangeAttributePreferredLocationId:
      case cudaMemRangeAttributeAccessedBy:
      case cudaMemRangeAttributeLastPrefetchLocation:
      case cudaMemRangeAttributeLastPrefetchLocationId:
        break;
      default:
        return fail(cudaErrorInvalidValue, "{} is not an attribute", static_cast<unsigned>(attribute));
    }
    for (size_t i = 0; i < size / sizeof(int); ++i) std::memcpy(static_cast<int*>(data) + i, &answer, sizeof answer);
    return cudaSuccess;
  });
}

// The queries run in turn; the first invalid one ends the call.
cudaError_t cudaMemRangeGetAttributes(void** data, size_t* sizes, cudaMemRangeAttribute* attributes, size_t number,
                                      const void* pointer, size_t count) {
  if (cudaError_t error = call_without_device("cudaMemRangeGetAttributes", [&]() -> cudaError_t {
        if (!data || !sizes || !attributes || number == 0)
          return fail(cudaErrorInvalidValue, "a list of {} attributes, or one that is null", number);
        return cudaSuccess;
      }))
    return error;
  for (size_t k = 0; k < number; ++k)
    CUDA_TRY(cudaMemRangeGetAttribute(data[k], sizes[k], attributes[k], pointer, count));
  return cudaSuccess;
}

// Attaching managed memory to a stream limits who may access it when. Here every access is allowed.
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length, unsigned flags) {
  return call("cudaStreamAttachMemAsync", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (flags != 1 && flags != 2 && flags != 4)
      return fail(cudaErrorInvalidValue, "flags {:#x}: cudaMemAttachGlobal (1), Host (2) or Single (4)", flags);
    device::StreamId id;
    CUDA_TRY(process.streams.find(gpu, stream, &id));
    Place place = locate(process, gpu, pointer);
    if (!place.managed()) return fail(cudaErrorInvalidValue, "{} is not managed memory", pointer);
    if (length != 0 && length != place.allocation->size)
      return fail(cudaErrorInvalidValue, "length {}: 0 or the allocation's size, {}", length, place.allocation->size);
    return cudaSuccess;
  });
}

// Discarded memory has no promised value until it is written. Keeping the old one is correct.
cudaError_t cudaMemPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count, cudaMemLocation* locations,
                                      size_t* first, size_t runs, unsigned long long flags, cudaStream_t stream) {
  return call("cudaMemPrefetchBatchAsync", [&](Process& process, device::Device& gpu) {
    const Runs places{"locations", locations, first, runs};
    return check_ranges(process, gpu, pointers, sizes, count, &places, flags, stream);
  });
}
cudaError_t cudaMemDiscardBatchAsync(void** pointers, size_t* sizes, size_t count, unsigned long long flags,
                                     cudaStream_t stream) {
  return call("cudaMemDiscardBatchAsync", [&](Process& process, device::Device& gpu) {
    return check_ranges(process, gpu, pointers, sizes, count, nullptr, flags, stream);
  });
}
cudaError_t cudaMemDiscardAndPrefetchBatchAsync(void** pointers, size_t* sizes, size_t count,
                                                cudaMemLocation* locations, size_t* first, size_t runs,
                                                unsigned long long flags, cudaStream_t stream) {
  return call("cudaMemDiscardAndPrefetchBatchAsync", [&](Process& process, device::Device& gpu) {
    const Runs places{"locations", locations, first, runs};
    return check_ranges(process, gpu, pointers, sizes, count, &places, flags, stream);
  });
}
