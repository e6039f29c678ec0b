// malloc() and free() of kernels: CUDA gives them a heap of fixed size (cudaLimitMallocHeapSize, 8 MiB
// unless set) that lives until the device is reset; what one kernel allocates a later one may free.
//
// The bytes lie in the arena, the bookkeeping does not, so that a kernel cannot damage it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "device/device.h"

namespace warpwise::exec {

class Arena;
class Observer;

class DeviceHeap {
 public:
  static constexpr uint64_t kAlign = 16;  // CUDA programming guide, "Dynamic Global Memory Allocation"

  DeviceHeap(Arena& arena, uint64_t bytes) : arena_(arena), bytes_(bytes) {}

  // 0 when there is no room. A size of 0 is one byte.
  device::Address allocate(uint64_t size);
  // False when `address` is not what allocate returned. 0 is fine.
  bool free(device::Address address);
  // The allocation that contains `address`, for messages; size 0 when there is none.
  uint64_t size_of(device::Address address) const;

  // Only before the first allocation, as cudaDeviceSetLimit demands; false afterwards.
  bool set_bytes(uint64_t bytes);
  uint64_t bytes() const { return bytes_; }
  void reset();
  // Every allocation is reported to `observer`. Before the first one.
  void watch(Observer* observer) { observer_ = observer; }

 private:
  Arena& arena_;
  uint64_t bytes_;
  device::Address base_ = 0;
  std::map<device::Address, uint64_t> used_;  // base -> size
  std::map<device::Address, uint64_t> free_;  // neighbours are merged
  Observer* observer_ = nullptr;
  mutable std::mutex mutex_;
};

}  // namespace warpwise::exec
