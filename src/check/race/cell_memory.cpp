#include "check/race/cell_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "check/memory/shadow_memory.h"
#include "exec/memory/arena.h"

namespace warpwise::check {

using device::Address;
using exec::Arena;

namespace {

constexpr uint64_t kPlanes[] = {simt::kWriteCellDistance, simt::kReadCellDistance};

// A plane: a byte of cells for each byte of the window.
void* plane(uint64_t distance) { return reinterpret_cast<void*>(Arena::kFirst + simt::kAliasOffset - distance); }

void set_to_zero(uint64_t from, uint64_t to) { std::memset(reinterpret_cast<void*>(from), 0, to - from); }

}  // namespace

CellMemory::~CellMemory() {
  if (!mapped_) return;
  for (uint64_t distance : kPlanes) munmap(plane(distance), simt::kShadowReach);
}

Result<void> CellMemory::map() {
  for (uint64_t distance : kPlanes) {
    void* got = mmap(plane(distance), simt::kShadowReach, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    mapped_ = got == plane(distance);
    if (mapped_) {
      madvise(got, simt::kShadowReach, MADV_DONTDUMP);
      continue;
    }
    const int why = got == MAP_FAILED ? errno : EEXIST;
    if (got != MAP_FAILED) munmap(got, simt::kShadowReach);
    if (distance == simt::kReadCellDistance) munmap(plane(simt::kWriteCellDistance), simt::kShadowReach);
    return Error{"R0101",
                 fmt::format("no room for their shadow memory: {} ({} TiB of addresses; `ulimit -v` must allow them)",
                             std::strerror(why), 2 * simt::kShadowReach >> 40)};
  }
  return {};
}

CellMemory::Word& CellMemory::of_bytes(Address address) {
  const Cell cell = of_word(address);
  Word& bytes = split_[address / 4];
  if (cell.write != simt::kSplitCell) {
    bytes.fill({cell.write, cell.read});
    cell.write = simt::kSplitCell;
  }
  return bytes;
}

CellMemory::Word CellMemory::bytes_at(Address address) const {
  const Cell cell = of_word(address);
  if (cell.write == simt::kSplitCell)
    if (auto split = split_.find(address / 4); split != split_.end()) return split->second;
  Word bytes;
  bytes.fill({cell.write, cell.read});
  return bytes;
}

void CellMemory::merge(Address address, uint32_t first) {
  auto split = split_.find(address / 4);
  if (split == split_.end()) return;
  for (const ByteCell& byte : split->second)
    if (std::max({byte.write, byte.read, byte.plain}) >= first) return;
  const Cell cell = of_word(address);
  cell.write = cell.read = 0;
  split_.erase(split);
}

void CellMemory::forget(Address base, size_t bytes) {
  if (!mapped_ || bytes == 0 || !ShadowMemory::covers(base, bytes)) return;
  constexpr uint64_t kPage = 4096;
  for (uint64_t distance : kPlanes) {
    const uint64_t begin = cells_at(base, distance), end = begin + bytes;
    const uint64_t first = (begin + kPage - 1) / kPage * kPage, last = end / kPage * kPage;
    if (last <= first) {
      set_to_zero(begin, end);
      continue;
    }
    set_to_zero(begin, first);
    madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
    set_to_zero(last, end);
  }
  const uint64_t first_word = base / 4, last_word = (base + bytes - 1) / 4;
  if (last_word - first_word < split_.size())
    for (uint64_t word = first_word; word <= last_word; ++word) split_.erase(word);
  else
    std::erase_if(split_, [&](const auto& word) { return word.first >= first_word && word.first <= last_word; });
}

void CellMemory::clear(Address base, size_t bytes) {
  for (uint64_t distance : kPlanes) set_to_zero(cells_at(base, distance), cells_at(base, distance) + bytes);
}

void CellMemory::forget_all() {
  for (uint64_t distance : kPlanes) madvise(plane(distance), simt::kShadowReach, MADV_DONTNEED);
  split_.clear();
}

}  // namespace warpwise::check
