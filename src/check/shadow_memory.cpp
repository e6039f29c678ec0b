#include "check/shadow_memory.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <mutex>

#include <fmt/format.h>

#include "exec/memory/arena.h"

namespace warpwise::check {

using device::Address;
using exec::Arena;

namespace {

constexpr size_t kPage = 4096;
// From here on, giving pages back is cheaper than painting them.
constexpr size_t kWorthUnmapping = 64 * kPage;

// The window is one for all devices of a process.
std::mutex mutex;
unsigned users = 0;

uint64_t window() { return Arena::kFirst + simt::kAliasOffset - simt::kShadowDistance; }

}  // namespace

Result<void> ShadowMemory::map() {
  std::lock_guard lock(mutex);
  if (users > 0) {
    ++users;
    mapped_ = true;
    return {};
  }
  void* wanted = reinterpret_cast<void*>(window());
  void* got = mmap(wanted, simt::kShadowReach, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) {
    const int why = got == MAP_FAILED ? errno : EEXIST;
    if (got != MAP_FAILED) munmap(got, simt::kShadowReach);
    return Error{"R0101", fmt::format("no room for shadow memory: {} (the checkers need {} TiB of addresses; `ulimit -v` must allow them)",
                                      std::strerror(why), simt::kShadowReach >> 40)};
  }
  users = 1;
  mapped_ = true;
  madvise(got, simt::kShadowReach, MADV_DONTDUMP);
  return {};
}

ShadowMemory::~ShadowMemory() {
  std::lock_guard lock(mutex);
  if (mapped_ && --users == 0) munmap(reinterpret_cast<void*>(window()), simt::kShadowReach);
}

uint8_t* ShadowMemory::at(Address address) {
  return reinterpret_cast<uint8_t*>(address + simt::kAliasOffset - simt::kShadowDistance);
}

bool ShadowMemory::covers(Address address, size_t bytes) {
  return Arena::in_window(address) && bytes <= Arena::kLast - address;
}

void ShadowMemory::paint(Address address, size_t bytes, uint8_t state) {
  if (covers(address, bytes)) std::memset(at(address), state, bytes);
}

void ShadowMemory::mark(Address address, size_t bytes) {
  if (!covers(address, bytes)) return;
  for (uint8_t* s = at(address); s != at(address) + bytes; ++s)
    if (*s == simt::kUninitialised) *s = simt::kInitialised;
}

void ShadowMemory::clear(Address address, size_t bytes) {
  if (!covers(address, bytes)) return;
  const Address first = (address + kPage - 1) / kPage * kPage, last = (address + bytes) / kPage * kPage;
  if (bytes < kWorthUnmapping || madvise(at(first), last - first, MADV_DONTNEED) != 0) return paint(address, bytes, simt::kNoMemory);
  paint(address, first - address, simt::kNoMemory);
  paint(last, address + bytes - last, simt::kNoMemory);
}

void ShadowMemory::copy(Address to, Address from, size_t bytes) {
  if (covers(to, bytes) && covers(from, bytes)) std::memmove(at(to), at(from), bytes);
}

}  // namespace warpwise::check
