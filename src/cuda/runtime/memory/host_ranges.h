// Host memory that the program has made known to CUDA: allocated with cudaHostAlloc and similar functions, or
// registered with cudaHostRegister. Copies from and to it need not wait; all other host memory is pageable.
//
// Allocated ranges belong to the device (device::MemoryKind::Pinned) and are kept here for their flags alone.
// Registered ranges stay where they are. Kernels reach them at another address (device/virtual_memory.h), which
// cudaHostGetDevicePointer returns. Their pages are adopted when the program asks for that address, or passes a pointer
// into such a range to a kernel. Unified addressing promises that such pointers work, so arguments are translated into
// device addresses.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>

#include "device/device.h"

namespace warpwise::cuda {

constexpr unsigned kHostRegisterMapped = 2;  // cudaHostRegisterMapped

struct HostRange {
  uintptr_t base = 0;
  size_t size = 0;
  unsigned flags = 0;
  bool registered = false;
  device::Address device = 0;  // of a registered range: its address for kernels, once it has been asked for
};

class HostRanges {
 public:
  // False when it overlaps a known range.
  bool add(HostRange range);
  // Finds a range by its first address alone.
  std::optional<HostRange> remove(const void* base, bool registered);
  std::optional<HostRange> find(const void* pointer) const;
  // The registered range that has the device address `address`.
  std::optional<HostRange> find_on_device(device::Address address) const;
  // The device address of `host`, which is in a registered range.
  device::Status reach(device::Device& gpu, const void* host, device::Address* out);
  // Replaces each word of a kernel's arguments that points into a registered range.
  device::Status put_on_device(device::Device& gpu, std::span<std::byte> arguments);
  // The device has been reset, and its allocations are gone. Registrations stay; their pages are adopted again when
  // needed.
  void forget_allocations();

 private:
  std::atomic<size_t> registered_{0};  // so that launches of programs without such ranges skip the search
  mutable std::mutex mutex_;
  std::map<uintptr_t, HostRange> ranges_;  // by base; disjoint
};

}  // namespace warpwise::cuda
