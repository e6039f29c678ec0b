#include "cuda/runtime/memory/managed_shadows.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "cuda/runtime/module/sections.h"

namespace warpwise::cuda {

namespace {

constexpr size_t kPage = 4096;

// Maps whole pages of the host a second time onto managed memory of the device; returns the number of bytes. (mremap of
// 0 bytes of a shared mapping gives its pages a second place.)
size_t share_pages(std::byte* host, std::byte* device, size_t size) {
  size_t bytes = size / kPage * kPage;
  bool pages = reinterpret_cast<uintptr_t>(host) % kPage == 0 && reinterpret_cast<uintptr_t>(device) % kPage == 0;
  if (!pages || bytes == 0) return 0;
  return mremap(device, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, host) == MAP_FAILED ? 0 : bytes;
}

}  // namespace

bool ManagedShadows::is_shadow(const void* variable) {
  // The gold linker drops what follows .sbss. No compiler for this processor puts anything else there.
  return in_section(variable, ".sbss.warpwise_managed") || in_section(variable, ".sbss");
}

bool ManagedShadows::attach(void* variable, size_t size, device::Address address, bool share) {
  std::lock_guard lock(mutex_);
  auto* host = static_cast<std::byte*>(variable);
  auto* device = reinterpret_cast<std::byte*>(address);
  auto found = std::find_if(shadows_.begin(), shadows_.end(), [&](const Shadow& s) { return s.host == host; });
  bool first_time = found == shadows_.end();
  if (first_time)
    found = shadows_.insert(found, Shadow{host, size});
  else
    std::memcpy(device, host, size);
  // The next variable of the section begins on a page of its own (include/cuda/host_defines.h).
  const bool alone = section_ends_its_page(variable);
  found->shared = share ? share_pages(host, device, alone ? (size + kPage - 1) / kPage * kPage : size) : 0;
  const size_t one = std::min(found->shared, size);
  if (first_time) std::memcpy(host + one, device + one, size - one);
  found->device = device;
  found->last.assign(host + one, host + size);
  ++attached_;
  return alone && one == size;
}

// Gives the shadow memory of its own again, with the contents of the shared memory.
void ManagedShadows::separate(Shadow& shadow) {
  if (shadow.device && shadow.shared) {
    std::vector<std::byte> content(shadow.host, shadow.host + shadow.shared);
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    void* own = mmap(shadow.host, shadow.shared, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    if (own != MAP_FAILED) std::memcpy(shadow.host, content.data(), content.size());
  }
  shadow.shared = 0;
  shadow.device = nullptr;
}

void ManagedShadows::detach_all() {
  std::lock_guard lock(mutex_);
  for (Shadow& shadow : shadows_) separate(shadow);
  attached_ = 0;
}

void ManagedShadows::remove(const void* variable) {
  std::lock_guard lock(mutex_);
  auto found = std::find_if(shadows_.begin(), shadows_.end(), [&](const Shadow& s) { return s.host == variable; });
  if (found == shadows_.end()) return;
  if (found->device) --attached_;
  separate(*found);
  shadows_.erase(found);
}

// Compares both sides with the last value that they had in common: the side that differs has changed. Where both
// differ, host and kernel raced.
void ManagedShadows::compare_and_copy() {
  std::lock_guard lock(mutex_);
  for (Shadow& shadow : shadows_) {
    if (!shadow.device) continue;
    for (size_t start = 0; start < shadow.last.size(); start += kPage) {
      size_t bytes = std::min(kPage, shadow.last.size() - start), at = shadow.shared + start;
      std::byte *host = shadow.host + at, *device = shadow.device + at, *last = shadow.last.data() + start;
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
    if (shadow.device && address >= first && address - first < shadow.size)
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
