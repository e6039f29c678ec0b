#include "exec/memory/adopted_pages.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "base/host_page.h"
#include "exec/memory/host_pages.h"
#include "exec/memory/mapped_segments.h"
#include "exec/memory/moving_pages.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Address;

namespace {

constexpr const char* kHostFile = "warpwise-host";

std::byte* at(uint64_t address) { return reinterpret_cast<std::byte*>(address); }

bool moved_into_file(uint64_t first, uint64_t last) {
  const int file = move_into_file(first, last, kHostFile);
  if (file < 0) return false;
  close(file);
  return true;
}

// The pages of a shared mapping once more (mremap(2): an old size of 0).
bool map_again(uint64_t first, uint64_t last, uint64_t place) {
  return mremap(at(first), 0, last - first, MREMAP_MAYMOVE | MREMAP_FIXED, at(place)) != MAP_FAILED;
}

}  // namespace

Result<Address> AdoptedPages::adopt(void* host, size_t bytes) {
  std::lock_guard lock(mutex_);
  const auto begin = reinterpret_cast<uint64_t>(host);
  const uint64_t first = begin / kHostPage * kHostPage, last = (begin + bytes + kHostPage - 1) / kHostPage * kHostPage;
  if (begin + bytes < begin) return Error{"R0102", "the range is larger than any memory"};
  const std::vector<MappedSegment> segments = mapped_segments(first, last);
  uint64_t covered = first;
  for (const MappedSegment& s : segments) {
    if (s.first != covered || !s.writable) break;
    covered = s.last;
  }
  if (covered != last)
    return Error{"R0102", fmt::format("not all of the {} bytes at {} are memory that can be written", bytes, host)};
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  for (const MappedSegment& s : segments)
    if (s.name == "[stack]" || (here >= s.first && here < s.last))
      return Error{"R0102", fmt::format("{} is on a stack, which kernels cannot reach: register memory of the heap, or "
                                        "a variable outside of functions",
                                        host)};

  const Address pages = TRY(arena_.reserve(last - first, kHostPage));
  for (const MappedSegment& s : segments) {
    const Address place = pages + (s.first - first);
    const bool there = (s.shared || moved_into_file(s.first, s.last)) &&
                       map_again(s.first, s.last, place + simt::kAliasOffset) && map_again(s.first, s.last, place);
    if (there) continue;
    munmap(at(pages), last - first);
    arena_.unreserve(pages, last - first);
    return Error{"R0102", fmt::format("the host cannot map the {} bytes at {} twice", bytes, host)};
  }
  const Region region{pages + (begin - first), bytes, device::MemoryKind::Pinned, Owner::Program, {}};
  ranges_[region.base] = {first, last, pages, region};
  // Pages that other data of the program shares are never closed.
  const uint64_t own_first = (begin + kHostPage - 1) / kHostPage * kHostPage,
                 own_last = (begin + bytes) / kHostPage * kHostPage;
  if (HostPages* closed = arena_.host_pages(); closed && own_last > own_first)
    closed->add_view(pages + (own_first - first), own_last - own_first, own_first);
  if (Observer* observer = arena_.observer()) observer->allocated(region);
  return region.base;
}

void AdoptedPages::unmap(const Range& range) {
  if (Observer* observer = arena_.observer()) observer->freed(range.region);
  if (HostPages* pages = arena_.host_pages()) pages->forget(range.pages, range.last - range.first);
  munmap(at(range.pages), range.last - range.first);
  arena_.unreserve(range.pages, range.last - range.first);
}

const void* AdoptedPages::device_view(const void* host) const {
  const auto address = reinterpret_cast<uint64_t>(host);
  std::lock_guard lock(mutex_);
  for (const auto& [base, range] : ranges_) {
    const uint64_t begin = range.first + (base - range.pages);
    if (address - begin < range.region.size) return reinterpret_cast<const void*>(base + (address - begin));
  }
  return host;
}

bool AdoptedPages::is_used(uint64_t page) const {
  for (const auto& [base, range] : ranges_)
    if (page >= range.first && page < range.last) return true;
  return false;
}

bool AdoptedPages::give_up(Address base) {
  std::lock_guard lock(mutex_);
  auto found = ranges_.find(base);
  if (found == ranges_.end()) return false;
  Range range = found->second;
  unmap(range);
  ranges_.erase(found);
  // Other ranges can share the first and the last page.
  while (range.first < range.last && is_used(range.first)) range.first += kHostPage;
  while (range.first < range.last && is_used(range.last - kHostPage)) range.last -= kHostPage;
  if (range.first == range.last) return true;
  // The program may have unmapped it, or mapped something else there.
  for (const MappedSegment& s : mapped_segments(range.first, range.last))
    if (s.shared && s.name.starts_with(fmt::format("/memfd:{}", kHostFile))) move_home(s.first, s.last);
  return true;
}

void AdoptedPages::clear() {
  std::lock_guard lock(mutex_);
  for (const auto& [base, range] : ranges_) unmap(range);
  ranges_.clear();
}

std::optional<Region> AdoptedPages::region_at(Address address) const {
  std::lock_guard lock(mutex_);
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return std::nullopt;
  const Region& region = std::prev(after)->second.region;
  if (!region.contains(address, 1)) return std::nullopt;
  return region;
}

}  // namespace warpwise::exec
