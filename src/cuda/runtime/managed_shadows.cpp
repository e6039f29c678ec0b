#include "cuda/runtime/managed_shadows.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace warpwise::cuda {

void ManagedShadows::attach(void* shadow, size_t size, device::Address variable) {
  std::lock_guard lock(mutex_);
  auto* host = static_cast<std::byte*>(shadow);
  auto* device = reinterpret_cast<std::byte*>(variable);
  auto found = std::find_if(shadows_.begin(), shadows_.end(), [&](const Shadow& s) { return s.host == host; });
  bool first_time = found == shadows_.end();
  if (first_time) found = shadows_.insert(found, Shadow{host});
  if (first_time) std::memcpy(host, device, size);
  else std::memcpy(device, host, size);
  found->device = device;
  found->last.assign(host, host + size);
  ++attached_;
}

void ManagedShadows::detach_all() {
  std::lock_guard lock(mutex_);
  for (Shadow& shadow : shadows_) shadow.device = nullptr;
  attached_ = 0;
}

void ManagedShadows::remove(const void* shadow) {
  std::lock_guard lock(mutex_);
  std::erase_if(shadows_, [&](const Shadow& s) {
    if (s.host == shadow && s.device) --attached_;
    return s.host == shadow;
  });
}

// Both sides against what they last agreed on: whoever differs has changed. Where both have, host and kernel raced.
void ManagedShadows::compare_and_copy() {
  constexpr size_t kBlock = 4096;
  std::lock_guard lock(mutex_);
  for (Shadow& shadow : shadows_) {
    if (!shadow.device) continue;
    for (size_t start = 0; start < shadow.last.size(); start += kBlock) {
      size_t bytes = std::min(kBlock, shadow.last.size() - start);
      std::byte *host = shadow.host + start, *device = shadow.device + start, *last = shadow.last.data() + start;
      if (std::memcmp(host, last, bytes) == 0 && std::memcmp(device, last, bytes) == 0) continue;
      for (size_t i = 0; i < bytes; ++i) {
        std::byte ours = host[i], theirs = device[i];
        std::byte now = theirs != last[i] ? theirs : ours;
        if (ours != now) host[i] = now;
        if (theirs != now) device[i] = now;
        last[i] = now;
      }
    }
  }
}

device::Address ManagedShadows::on_device(device::Address address) const {
  if (attached_.load(std::memory_order_acquire) == 0) return address;
  std::lock_guard lock(mutex_);
  for (const Shadow& shadow : shadows_) {
    auto first = reinterpret_cast<device::Address>(shadow.host);
    if (shadow.device && address >= first && address - first < shadow.last.size())
      return reinterpret_cast<device::Address>(shadow.device) + (address - first);
  }
  return address;
}

void ManagedShadows::put_on_device(std::span<std::byte> arguments) const {
  if (attached_.load(std::memory_order_acquire) == 0) return;
  for (size_t at = 0; at + sizeof(device::Address) <= arguments.size(); at += alignof(device::Address)) {
    device::Address word;
    std::memcpy(&word, arguments.data() + at, sizeof word);
    word = on_device(word);
    std::memcpy(arguments.data() + at, &word, sizeof word);
  }
}

}  // namespace warpwise::cuda
