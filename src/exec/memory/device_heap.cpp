#include "exec/memory/device_heap.h"

#include "exec/memory/arena.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Address;

Address DeviceHeap::allocate(uint64_t size) {
  std::lock_guard lock(mutex_);
  if (size > bytes_) return 0;
  const uint64_t wanted = std::max<uint64_t>(size, 1);
  size = (wanted + (observer_ ? kAlign : 0) + kAlign - 1) / kAlign * kAlign;  // an observer sees accesses behind it
  if (base_ == 0) {
    auto heap = arena_.allocate(bytes_, device::MemoryKind::Device, Owner::Engine, "the heap of kernels");
    if (!heap.ok()) return 0;
    base_ = *heap;
    free_.emplace(base_, bytes_);
    if (observer_) observer_->heap_freed(base_, bytes_);  // nothing is allocated there yet
  }
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    auto [first, bytes] = *range;
    if (bytes < size) continue;
    free_.erase(range);
    if (bytes > size) free_.emplace(first + size, bytes - size);
    used_.emplace(first, size);
    if (observer_) observer_->heap_allocated(first, wanted);
    return first;
  }
  return 0;
}

bool DeviceHeap::free(Address address) {
  if (address == 0) return true;
  std::lock_guard lock(mutex_);
  auto found = used_.find(address);
  if (found == used_.end()) return false;
  uint64_t size = found->second;
  if (observer_) observer_->heap_freed(address, size);
  used_.erase(found);
  auto next = free_.lower_bound(address);
  if (next != free_.end() && address + size == next->first) {
    size += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == address) {
      previous->second += size;
      return true;
    }
  }
  free_.emplace(address, size);
  return true;
}

uint64_t DeviceHeap::size_of(Address address) const {
  std::lock_guard lock(mutex_);
  auto after = used_.upper_bound(address);
  if (after == used_.begin()) return 0;
  auto [base, size] = *std::prev(after);
  return address - base < size ? size : 0;
}

bool DeviceHeap::set_bytes(uint64_t bytes) {
  std::lock_guard lock(mutex_);
  if (base_ != 0) return false;
  bytes_ = bytes;
  return true;
}

void DeviceHeap::reset() {
  std::lock_guard lock(mutex_);
  if (base_ != 0) arena_.free(base_);
  base_ = 0;
  used_.clear();
  free_.clear();
}

}  // namespace warpwise::exec
