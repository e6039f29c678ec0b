#include "check/memory/shadow_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "exec/memory/arena.h"

namespace warpwise::check {

using device::Address;
using exec::Arena;

namespace {

constexpr size_t kPage = 4096;
// From here on, giving pages back is cheaper than painting them.
constexpr size_t kWorthUnmapping = 64 * kPage;
// From here on a range that is painted all in one state has no pages of its own until it is changed: it is
// mapped, piece by piece, to a file of that state. A program that allocates what it never touches pays nothing for it.
constexpr size_t kWorthMapping = size_t{128} << 20;
// The same where hardly anything will be touched. Nothing smaller is mapped.
constexpr size_t kWorthMappingSparse = size_t{1} << 20;
constexpr size_t kPiece = size_t{32} << 20;
constexpr size_t kLargePage = size_t{2} << 20;

// The window is one for all devices of a process.
std::mutex mutex;
unsigned users = 0;

constexpr int kProtection = PROT_READ | PROT_WRITE;
constexpr int kUnbacked = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

// A file of kPiece bytes of one state; -1 where the system makes none.
int make_piece(uint8_t state) {
  const int file = memfd_create("warpwise-shadow", MFD_CLOEXEC);
  if (file < 0) return -1;
  void* bytes = ftruncate(file, kPiece) == 0 ? mmap(nullptr, kPiece, kProtection, MAP_SHARED, file, 0) : MAP_FAILED;
  if (bytes == MAP_FAILED) return close(file), -1;
  std::memset(bytes, state, kPiece);
  munmap(bytes, kPiece);
  return file;
}

int piece_of(uint8_t state) {
  if (state == simt::kUninitialised) {
    static const int file = make_piece(simt::kUninitialised);
    return file;
  }
  if (state == simt::kInitialised) {
    static const int file = make_piece(simt::kInitialised);
    return file;
  }
  return -1;
}

// Whole pages. False: they say what they said, some of them perhaps what they shall.
bool map_pieces(uint8_t* first, const uint8_t* last, uint8_t state) {
  const int file = piece_of(state);
  if (file < 0) return false;
  for (uint8_t* at = first; at < last; at += kPiece) {
    const size_t bytes = std::min(kPiece, static_cast<size_t>(last - at));
    if (mmap(at, bytes, kProtection, MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, file, 0) == MAP_FAILED) return false;
  }
  madvise(first, static_cast<size_t>(last - first), MADV_DONTDUMP);
  return true;
}

// Whole pages become no memory.
bool give_back(uint8_t* first, const uint8_t* last) {
  const auto bytes = static_cast<size_t>(last - first);
  if (bytes < kWorthMappingSparse) return madvise(first, bytes, MADV_DONTNEED) == 0;
  // Some may be mapped to a file, where that would bring its state back.
  if (mmap(first, bytes, kProtection, kUnbacked | MAP_FIXED, -1, 0) == MAP_FAILED) return false;
  madvise(first, bytes, MADV_DONTDUMP);
  return true;
}

// From the first whole page on, up to the last.
struct WholePages {
  uint8_t *first, *last;
  WholePages(uint8_t* at, size_t bytes)
      : first(reinterpret_cast<uint8_t*>((reinterpret_cast<uintptr_t>(at) + kPage - 1) / kPage * kPage)),
        last(reinterpret_cast<uint8_t*>(reinterpret_cast<uintptr_t>(at + bytes) / kPage * kPage)) {}
};

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
  void* got = mmap(wanted, simt::kShadowReach, kProtection, kUnbacked | MAP_FIXED_NOREPLACE, -1, 0);
  if (got != wanted) {
    const int why = got == MAP_FAILED ? errno : EEXIST;
    if (got != MAP_FAILED) munmap(got, simt::kShadowReach);
    return Error{
        "R0101",
        fmt::format(
            "no room for shadow memory: {} (the checkers need {} TiB of addresses; `ulimit -v` must allow them)",
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

void ShadowMemory::paint(Address address, size_t bytes, uint8_t state, Use use) {
  if (!covers(address, bytes)) return;
  uint8_t* begin = at(address);
  const WholePages pages(begin, bytes);
  if (bytes < (use == Use::Sparse ? kWorthMappingSparse : kWorthMapping) + 2 * kPage ||
      !map_pieces(pages.first, pages.last, state)) {
    // All of it is about to be touched: in large pages that takes a tenth of the time.
    if (bytes >= kLargePage) madvise(pages.first, static_cast<size_t>(pages.last - pages.first), MADV_HUGEPAGE);
    std::memset(begin, state, bytes);
    return;
  }
  std::memset(begin, state, static_cast<size_t>(pages.first - begin));
  std::memset(pages.last, state, static_cast<size_t>(begin + bytes - pages.last));
}

void ShadowMemory::mark(Address address, size_t bytes) {
  if (!covers(address, bytes)) return;
  for (uint8_t* s = at(address); s != at(address) + bytes; ++s)
    if (*s == simt::kUninitialised) *s = simt::kInitialised;
}

void ShadowMemory::clear(Address address, size_t bytes) {
  if (!covers(address, bytes)) return;
  uint8_t* begin = at(address);
  const WholePages pages(begin, bytes);
  if (bytes < kWorthUnmapping || !give_back(pages.first, pages.last)) {
    std::memset(begin, simt::kNoMemory, bytes);
    return;
  }
  std::memset(begin, simt::kNoMemory, static_cast<size_t>(pages.first - begin));
  std::memset(pages.last, simt::kNoMemory, static_cast<size_t>(begin + bytes - pages.last));
}

void ShadowMemory::copy(Address to, Address from, size_t bytes) {
  if (covers(to, bytes) && covers(from, bytes)) std::memmove(at(to), at(from), bytes);
}

}  // namespace warpwise::check
