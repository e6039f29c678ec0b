// Host memory the program made known to CUDA: allocated with cudaHostAlloc and its like, or registered
// with cudaHostRegister. Copies from and to it need not wait; all other host memory is pageable.
//
// Allocated ranges are the device's (device::MemoryKind::Pinned) and kept here for their flags alone.
// Registered ranges stay where they are, and kernels reach them at another address (device/virtual_memory.h), which
// cudaHostGetDevicePointer tells. Their pages are taken when somebody asks for that address, or passes a pointer into
// such a range to a kernel: unified addressing promises that it works, so arguments are put into the device's terms.
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
  device::Address device = 0;  // of a registered range: where kernels find it, once somebody asked
};

class HostRanges {
 public:
  // False when it overlaps one that is known.
  bool add(HostRange range);
  // Only by its first address.
  std::optional<HostRange> remove(const void* base, bool registered);
  std::optional<HostRange> find(const void* pointer) const;
  // The registered range that kernels find at `address`.
  std::optional<HostRange> find_on_device(device::Address address) const;
  // Where kernels find `host`, which is in a registered range.
  device::Status reach(device::Device& gpu, const void* host, device::Address* out);
  // Replaces each word of a kernel's arguments that points into a registered range.
  device::Status put_on_device(device::Device& gpu, std::span<std::byte> arguments);
  // The device has been reset and its allocations with it; registrations stay, and are taken anew when asked for.
  void forget_allocations();

 private:
  std::atomic<size_t> registered_{0};  // so that launches of programs without need not look
  mutable std::mutex mutex_;
  std::map<uintptr_t, HostRange> ranges_;  // by base; disjoint
};

}  // namespace warpwise::cuda
