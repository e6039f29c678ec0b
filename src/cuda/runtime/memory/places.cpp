#include "cuda/runtime/memory/places.h"

#include "cuda/runtime/process.h"

namespace warpwise::cuda {

bool BoxShape::bytes(size_t* out) const {
  size_t slices = 0, rows = 0;
  if (width == 0 || height == 0 || depth == 0) return *out = 0, true;
  return !__builtin_mul_overflow(depth - 1, slice, &slices) && !__builtin_mul_overflow(height - 1, pitch, &rows) &&
         !__builtin_add_overflow(slices, rows, out) && !__builtin_add_overflow(*out, width, out);
}

Place locate(Process& process, device::Device& gpu, const void* pointer) {
  Place place;
  place.address = process.shadows.on_device(reinterpret_cast<device::Address>(pointer));
  place.allocation = gpu.find_allocation(place.address);
  place.pageable = !place.allocation && !process.host_ranges.find(pointer);
  return place;
}

cudaError_t check_fits(const Place& place, const BoxShape& shape, const char* what) {
  size_t bytes = 0;
  if (!shape.bytes(&bytes) || place.address + bytes < place.address)
    return fail(cudaErrorInvalidValue, "{}: the size is larger than any memory", what);
  if (!place.allocation) return cudaSuccess;
  const device::Allocation& allocation = *place.allocation;
  size_t offset = place.address - allocation.base;
  if (bytes <= allocation.size - offset) return cudaSuccess;
  auto overrun = [&](cudaError_t error) { return Process::instance().checks.misused("C0505", place.host(), error); };
  if (offset == 0)
    return overrun(fail(cudaErrorInvalidValue, "{}: {} bytes from the start of a {}-byte allocation", what, bytes,
                        allocation.size));
  return overrun(fail(cudaErrorInvalidValue, "{}: {} bytes from byte {} of a {}-byte allocation, which has {} left",
                      what, bytes, offset, allocation.size, allocation.size - offset));
}

}  // namespace warpwise::cuda
