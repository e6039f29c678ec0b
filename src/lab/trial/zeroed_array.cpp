#include "lab/trial/zeroed_array.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace warpwise::lab {
namespace {

constexpr size_t kLargePage = size_t{2} << 20, kPage = 4096;

// Small arrays share pages with others: the heap's.
bool has_own_pages(size_t bytes) { return bytes >= kLargePage; }

}  // namespace

void* map_zeroed(size_t bytes) {
  if (!has_own_pages(bytes)) return std::calloc(bytes, 1);
  // Large pages begin at multiples of their size: what is too much on either side goes back.
  const size_t kept = (bytes + kPage - 1) / kPage * kPage, whole = kept + kLargePage;
  void* mapped = mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* first = static_cast<std::byte*>(mapped);
  const size_t before = (kLargePage - reinterpret_cast<uintptr_t>(first) % kLargePage) % kLargePage;
  const size_t after = whole - before - kept;
  if (before) munmap(first, before);
  if (after) munmap(first + whole - after, after);
  madvise(first + before, kept, MADV_HUGEPAGE);  // a system without them has small ones
  return first + before;
}

void unmap_zeroed(void* memory, size_t bytes) {
  if (has_own_pages(bytes))
    munmap(memory, bytes);
  else
    std::free(memory);
}

}  // namespace warpwise::lab
