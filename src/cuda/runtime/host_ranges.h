// Host memory the program made known to CUDA: allocated with cudaHostAlloc and its like, or registered
// with cudaHostRegister. Copies from and to it need not wait; all other host memory is pageable.
//
// Allocated ranges are the device's (device::MemoryKind::Pinned) and kept here for their flags alone.
// Registered ranges are only noted: kernels cannot reach them, and cudaHostGetDevicePointer says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace warpwise::cuda {

struct HostRange {
  uintptr_t base = 0;
  size_t size = 0;
  unsigned flags = 0;
  bool registered = false;
};

class HostRanges {
 public:
  // False when it overlaps one that is known.
  bool add(HostRange range);
  // Only by its first address.
  std::optional<HostRange> remove(const void* base, bool registered);
  std::optional<HostRange> find(const void* pointer) const;
  // The device has been reset and its allocations with it; registrations stay.
  void forget_allocations();

 private:
  mutable std::mutex mutex_;
  std::map<uintptr_t, HostRange> ranges_;  // by base; disjoint
};

}  // namespace warpwise::cuda
