#include "exec/memory/shared_pages.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/host_page.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Address;

namespace {}  // namespace

Result<Address> SharedPages::open(int file, size_t offset, size_t bytes) {
  // Beyond its end a file can be mapped, but not accessed.
  struct stat about{};
  if (fstat(file, &about) != 0 || bytes == 0 || offset > static_cast<size_t>(about.st_size) ||
      bytes > static_cast<size_t>(about.st_size) - offset)
    return Error{"R0103",
                 fmt::format("the other process's memory does not hold {} bytes from byte {} on", bytes, offset)};
  Piece piece;
  const size_t first = offset / kHostPage * kHostPage;
  piece.page_bytes = (offset + bytes + kHostPage - 1) / kHostPage * kHostPage - first;
  piece.pages = TRY(arena_.reserve(piece.page_bytes, kHostPage));
  piece.region = {piece.pages + (offset - first), bytes, device::MemoryKind::Device, Owner::Program, {}};
  void* at = mmap(engine_view(piece.pages), piece.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file,
                  static_cast<off_t>(first));
  if (at == MAP_FAILED) {
    arena_.unreserve(piece.pages, piece.page_bytes);
    return Error{"R0103", fmt::format("the host cannot map {} bytes of another process", bytes)};
  }
  if (Observer* observer = arena_.observer()) {
    observer->allocated(piece.region);
    observer->written(piece.region.base, bytes);  // by whom it belongs to
  }
  std::lock_guard lock(mutex_);
  pieces_[piece.region.base] = piece;
  return piece.region.base;
}

void SharedPages::unmap(const Piece& piece) {
  if (Observer* observer = arena_.observer()) observer->freed(piece.region);
  arena_.unreserve(piece.pages, piece.page_bytes);
}

bool SharedPages::close(Address base) {
  std::lock_guard lock(mutex_);
  auto found = pieces_.find(base);
  if (found == pieces_.end()) return false;
  unmap(found->second);
  pieces_.erase(found);
  return true;
}

void SharedPages::clear() {
  std::lock_guard lock(mutex_);
  for (const auto& [base, piece] : pieces_) unmap(piece);
  pieces_.clear();
}

std::optional<Region> SharedPages::region_at(Address address) const {
  std::lock_guard lock(mutex_);
  auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin()) return std::nullopt;
  const Region& region = std::prev(after)->second.region;
  if (!region.contains(address, 1)) return std::nullopt;
  return region;
}

}  // namespace warpwise::exec
