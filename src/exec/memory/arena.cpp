#include "exec/memory/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <vector>

#include "base/host_page.h"
#include "base/round_up.h"
#include "exec/memory/host_memory.h"
#include "exec/memory/host_pages.h"
#include "exec/memory/moving_pages.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Address;
using device::MemoryKind;

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kSlabBytes = kHugePage;
constexpr size_t kSmallLimit = size_t{64} << 10;  // above, an allocation has its own pages
constexpr size_t kMostOwnPages = 4096;            // allocations with pages of their own, where small ones get them, too
constexpr size_t kGap = kHugePage;                // unmapped, behind own pages
constexpr size_t kSkip = size_t{1} << 40;         // how far to jump where the host has something mapped
constexpr size_t kRecheck = size_t{64} << 20;     // from here on, ask the host again before mapping
constexpr size_t kGraves = 4096;                  // freed regions remembered for messages

bool is_shared(MemoryKind kind) { return kind != MemoryKind::Device; }

// Maps fresh memory at exactly `at`; false (with errno) when that is not possible.
bool map_at(uint64_t at, size_t bytes, int flags, int fd) {
  void* wanted = reinterpret_cast<void*>(at);
  void* got = mmap(wanted, bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE | MAP_NORESERVE, fd, 0);
  if (got == MAP_FAILED) return false;
  if (got == wanted) return true;
  munmap(got, bytes);  // a kernel without MAP_FIXED_NOREPLACE took the address as a hint
  errno = EEXIST;
  return false;
}

}  // namespace

// Pages that small allocations of one kind share.
struct Arena::Slab {
  Address base = 0;
  MemoryKind kind = MemoryKind::Device;
  size_t free_units = kSlabBytes / kUnit;
  std::map<size_t, size_t> free{{0, kSlabBytes / kUnit}};  // first unit -> number of units; neighbours are merged

  std::optional<size_t> take(size_t units) {
    if (free_units < units) return std::nullopt;
    for (auto range = free.begin(); range != free.end(); ++range) {
      auto [first, count] = *range;
      if (count < units) continue;
      free.erase(range);
      if (count > units) free.emplace(first + units, count - units);
      free_units -= units;
      return first;
    }
    return std::nullopt;
  }

  void give_back(size_t first, size_t units) {
    free_units += units;
    auto next = free.lower_bound(first);
    if (next != free.end() && next->first == first + units) {
      units += next->second;
      next = free.erase(next);
    }
    if (next != free.begin()) {
      auto previous = std::prev(next);
      if (previous->first + previous->second == first) {
        previous->second += units;
        return;
      }
    }
    free.emplace(first, units);
  }
};

Arena::Arena(uint64_t device_bytes) : device_bytes_(device_bytes), host_bytes_(available_host_memory() / 10 * 9) {}

Arena::~Arena() { free_all(); }

Error Arena::out_of_memory(size_t size) const {
  uint64_t limit = std::min(device_bytes_, host_bytes_);
  const char* whose = device_bytes_ <= host_bytes_ ? "the device" : "the host";
  return {"R0101", fmt::format("out of device memory: {} bytes asked for, {} of {} bytes in use ({} sets the limit)",
                               size, used_, limit, whose)};
}

Result<Address> Arena::allocate(size_t size, MemoryKind kind, Owner owner, std::string_view what,
                                const Placement& placement) {
  std::unique_lock lock(mutex_);
  // This is more than a limit: rounding up below must not wrap.
  if (size > kLast - kFirst) return out_of_memory(size);
  size_t units = round_up(std::max<size_t>(size, 1) + (observer_ ? kRedZone : 0), kUnit) / kUnit;
  // The engine's own pieces never share pages with a program's: a wild access between them should fault.
  bool small = units * kUnit <= kSmallLimit && owner != Owner::Engine;
  // Nor does shared memory where there is an observer: closing a page to the host (host_pages.h) must not affect a
  // neighbour. The number of mappings of a process is limited.
  if (observer_ && is_shared(kind) && pieces_.size() < kMostOwnPages) small = false;
  size_t bytes = small ? units * kUnit : round_up(size, kHostPage);
  uint64_t limit = std::min(device_bytes_, host_bytes_);
  if (bytes > limit || used_ > limit - bytes) return out_of_memory(size);
  if (bytes >= kRecheck && bytes > available_host_memory()) return out_of_memory(size);

  Piece piece;
  Address base;
  if (small) {
    base = TRY(allocate_small(units, kind));
    piece.slab = std::prev(slabs_.upper_bound(base))->second.get();
  } else {
    base = TRY(map_pages(bytes, kind, placement));
    piece.mapped_bytes = bytes;
  }
  piece.region = {base, size, kind, owner, what};
  piece.units = small ? units : 0;
  used_ += bytes;
  // What was freed under the new allocation is forgotten.
  auto grave = graveyard_.lower_bound(base);
  if (grave != graveyard_.begin() && std::prev(grave)->second.contains(base, 1)) --grave;
  while (grave != graveyard_.end() && grave->first < base + bytes) grave = graveyard_.erase(grave);
  names_.erase(names_.lower_bound(base), names_.lower_bound(base + bytes));
  pieces_.emplace(base, piece);
  ++changes_;
  lock.unlock();
  if (observer_) observer_->allocated(piece.region);
  return base;
}

void Arena::watch(Observer* observer) { observer_ = observer; }

Result<Address> Arena::allocate_small(size_t units, MemoryKind kind) {
  for (auto& [base, slab] : slabs_) {
    if (slab->kind != kind) continue;
    if (auto first = slab->take(units)) return base + *first * kUnit;
  }
  auto slab = std::make_unique<Slab>();
  slab->base = TRY(map_pages(kSlabBytes, kind, {}));
  slab->kind = kind;
  size_t first = *slab->take(units);
  Address base = slab->base;
  slabs_.emplace(base, std::move(slab));
  return base + first * kUnit;
}

Result<Address> Arena::map_pages(size_t bytes, MemoryKind kind, const Placement& placement) {
  const size_t align = std::max(bytes >= kHugePage ? kHugePage : size_t{64} << 10, placement.alignment);
  auto first_from = [&](Address from) { return round_up(from + placement.lead, align) - placement.lead; };
  Address at = first_from(next_);
  // Every failed attempt moves `at` forward; two passes over the window see every place.
  for (int passes = 0; passes < 2;) {
    if (at + bytes + kGap > kLast) {
      at = first_from(kFirst);
      ++passes;
      continue;
    }
    // Step over a range in use that overlaps [at, at + bytes + gap).
    auto after = occupied_.lower_bound(at + bytes + kGap);
    if (after != occupied_.begin()) {
      auto range = std::prev(after);
      if (range->first + range->second > at) {
        at = first_from(range->first + range->second);
        continue;
      }
    }
    bool mapped = false;
    if (is_shared(kind)) {
      int fd = memfd_create("warpwise", MFD_CLOEXEC);
      if (fd < 0) return out_of_memory(bytes);
      if (ftruncate(fd, static_cast<off_t>(bytes)) == 0 && map_at(at, bytes, MAP_SHARED, fd)) {
        mapped = map_at(at + simt::kAliasOffset, bytes, MAP_SHARED, fd);
        int why = errno;
        if (!mapped) munmap(reinterpret_cast<void*>(at), bytes);
        errno = why;
      }
      int why = errno;
      close(fd);
      errno = why;
    } else {
      mapped = map_at(at + simt::kAliasOffset, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1);
      // Huge pages save a fault per 4 KiB. Where the host has none, nothing is lost.
      if (mapped && bytes >= kHugePage) madvise(engine_view(at), bytes, MADV_HUGEPAGE);
    }
    if (mapped) {
      occupied_.emplace(at, bytes + kGap);
      next_ = at + bytes + kGap;
      return at;
    }
    if (errno != EEXIST) return out_of_memory(bytes);
    at = first_from(round_up(at + 1, kSkip));  // the place is taken (AddressSanitizer's heap starts at our alias)
  }
  return out_of_memory(bytes);
}

Result<Address> Arena::reserve(size_t bytes, size_t alignment) {
  std::unique_lock lock(mutex_);
  if (bytes > kLast - kFirst || alignment > kLast - kFirst) return out_of_memory(bytes);
  Address base = TRY(map_pages(bytes, MemoryKind::Device, {std::max(alignment, kHugePage)}));
  if (mprotect(engine_view(base), bytes, PROT_NONE) == 0) return base;
  unmap_pages(base, bytes, MemoryKind::Device);
  return out_of_memory(bytes);
}

void Arena::unreserve(Address base, size_t bytes) {
  std::unique_lock lock(mutex_);
  unmap_pages(base, bytes, MemoryKind::Device);
}

Result<void> Arena::take(size_t bytes) {
  std::unique_lock lock(mutex_);
  uint64_t limit = std::min(device_bytes_, host_bytes_);
  if (bytes > limit || used_ > limit - bytes) return out_of_memory(bytes);
  if (bytes >= kRecheck && bytes > available_host_memory()) return out_of_memory(bytes);
  used_ += bytes;
  return {};
}

void Arena::give_back(size_t bytes) {
  std::unique_lock lock(mutex_);
  used_ -= bytes;
}

void Arena::unmap_pages(Address base, size_t bytes, MemoryKind kind) {
  if (host_pages_) host_pages_->forget(base, bytes);
  munmap(engine_view(base), bytes);
  if (is_shared(kind)) munmap(reinterpret_cast<void*>(base), bytes);
  occupied_.erase(base);
  if (auto lent = lent_.find(base); lent != lent_.end()) {
    close(lent->second);
    lent_.erase(lent);
  }
}

void Arena::drop(std::map<Address, Piece>::iterator found) {
  auto& [base, piece] = *found;
  if (piece.slab) {
    used_ -= piece.units * kUnit;
    if (observer_) {
      quarantine_.push_back({base, piece.slab, piece.units});
      quarantined_bytes_ += piece.units * kUnit;
      for (; quarantined_bytes_ > kQuarantine; quarantine_.pop_front()) {
        const Quarantined& first = quarantine_.front();
        quarantined_bytes_ -= first.units * kUnit;
        give_back_units(first.base, first.slab, first.units);
      }
    } else {
      give_back_units(base, piece.slab, piece.units);
    }
  } else {
    used_ -= piece.mapped_bytes;
    unmap_pages(base, piece.mapped_bytes, piece.region.kind);
  }
  if (graveyard_.size() >= kGraves) graveyard_.erase(graveyard_.begin());
  graveyard_[base] = piece.region;
  pieces_.erase(found);
  ++changes_;
}

void Arena::give_back_units(Address base, Slab* slab, size_t units) {
  slab->give_back((base - slab->base) / kUnit, units);
  if (slab->free_units != kSlabBytes / kUnit) return;
  unmap_pages(slab->base, kSlabBytes, slab->kind);
  slabs_.erase(slab->base);
}

Result<Arena::Lent> Arena::share(Address address) {
  std::unique_lock lock(mutex_);
  auto after = pieces_.upper_bound(address);
  const Piece* piece = after == pieces_.begin() ? nullptr : &std::prev(after)->second;
  if (!piece || !piece->region.contains(address, 1) || piece->region.owner != Owner::Program ||
      is_shared(piece->region.kind))
    return Error{"R0103", fmt::format("{:#x} is no address of memory that cudaMalloc made", address)};
  const Address pages = piece->slab ? piece->slab->base : piece->region.base;
  const size_t bytes = piece->slab ? kSlabBytes : piece->mapped_bytes;
  auto lent = lent_.find(pages);
  if (lent == lent_.end()) {
    const auto first = reinterpret_cast<uint64_t>(engine_view(pages));
    const int file = move_into_file(first, first + bytes, "warpwise-device");
    if (file < 0) return Error{"R0103", fmt::format("the host cannot put {} bytes into a file of memory", bytes)};
    lent = lent_.emplace(pages, file).first;
  }
  if (observer_)
    observer_->written(piece->region.base, piece->region.size);  // other processes do not report what they write
  return Lent{lent->second, piece->region.base - pages, piece->region};
}

void Arena::name(Address base, std::string name) {
  std::unique_lock lock(mutex_);
  if (pieces_.contains(base)) names_[base] = std::move(name);
}

std::string Arena::name_of(Address base) const {
  std::shared_lock lock(mutex_);
  auto named = names_.find(base);
  return named == names_.end() ? "" : named->second;
}

bool Arena::free(Address base) {
  std::unique_lock lock(mutex_);
  auto found = pieces_.find(base);
  if (found == pieces_.end()) return false;
  if (observer_) observer_->freed(found->second.region);
  drop(found);
  return true;
}

void Arena::free_all() {
  std::unique_lock lock(mutex_);
  while (!pieces_.empty()) {
    if (observer_) observer_->freed(pieces_.begin()->second.region);
    drop(pieces_.begin());
  }
  for (const Quarantined& piece : quarantine_) give_back_units(piece.base, piece.slab, piece.units);
  quarantine_.clear();
  quarantined_bytes_ = 0;
  std::erase_if(graveyard_, [](const auto& grave) { return grave.second.owner != Owner::Program; });
}

std::optional<Region> Arena::find(Address address) const {
  if (auto region = find_allocation(address)) return region;
  const Mapped* mapped = mapped_;
  return mapped ? mapped->region_at(address) : std::nullopt;
}

Arena::Copy Arena::copy_at(Address address, size_t bytes, bool writes, unsigned index) const {
  const Mapped* mapped = mapped_;
  return mapped ? mapped->copy_at(address, bytes, writes, index)
                : Copy{.why_not = "this device has no multicast objects"};
}

std::optional<Region> Arena::find_allocation(Address address) const {
  std::shared_lock lock(mutex_);
  auto after = pieces_.upper_bound(address);
  if (after == pieces_.begin()) return std::nullopt;
  const Region& region = std::prev(after)->second.region;
  if (!region.contains(address, 1) && address != region.base) return std::nullopt;
  return region;
}

std::optional<Region> Arena::nearest(Address address) const {
  std::shared_lock lock(mutex_);
  auto after = pieces_.upper_bound(address);
  std::optional<Region> best;
  uint64_t best_distance = ~uint64_t{0};
  for (auto below = after; below != pieces_.begin();) {
    const Region& region = (--below)->second.region;
    uint64_t distance = address - region.base - std::min<uint64_t>(region.size, address - region.base);
    if (region.owner == Owner::Engine && distance >= kGap) continue;
    best = region;
    best_distance = distance;
    break;
  }
  for (; after != pieces_.end(); ++after) {
    if (after->second.region.owner == Owner::Engine) continue;
    if (after->first - address < best_distance) best = after->second.region;
    break;
  }
  return best;
}

std::optional<Region> Arena::freed(Address address) const {
  std::shared_lock lock(mutex_);
  auto after = graveyard_.upper_bound(address);
  if (after == graveyard_.begin()) return std::nullopt;
  const Region& region = std::prev(after)->second;
  if (!region.contains(address, 1)) return std::nullopt;
  return region;
}

std::byte* Arena::view(Address address, size_t bytes) const {
  auto region = find(address);
  if (!region || !region->contains(address, bytes)) return nullptr;
  return engine_view(address);
}

uint64_t Arena::used_bytes() const {
  std::shared_lock lock(mutex_);
  return used_;
}

uint64_t Arena::free_bytes() const {
  std::shared_lock lock(mutex_);
  uint64_t limit = std::min(device_bytes_, host_bytes_);
  return limit > used_ ? limit - used_ : 0;
}

}  // namespace warpwise::exec
