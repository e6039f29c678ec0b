#include "exec/memory/address_ranges.h"

#include <fmt/format.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <mutex>

#include "exec/observer.h"

namespace warpwise::exec {

using device::Access;
using device::Address;
using device::Failure;
using device::MemoryId;
using device::Status;

namespace {

int protection_of(Access access) {
  switch (access) {
    case Access::None: return PROT_NONE;
    case Access::Read: return PROT_READ;
    case Access::ReadWrite: break;
  }
  return PROT_READ | PROT_WRITE;
}

Status invalid(std::string detail) { return {Failure::InvalidValue, std::move(detail)}; }

// Takes access and memory away; the addresses stay ours.
void blank(Address address, size_t bytes) {
  mmap(engine_view(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace

AddressRanges::AddressRanges(Arena& arena, std::function<Status()> wait) : arena_(arena), adopted_(arena), shared_(arena), wait_(std::move(wait)) {
  arena_.also_look_in(this);
}

AddressRanges::~AddressRanges() {
  arena_.also_look_in(nullptr);
  clear();
}

Status AddressRanges::reserve(size_t bytes, size_t alignment, Address* out) {
  if (bytes == 0 || bytes % kGranularity) return invalid(fmt::format("{} bytes: a multiple of {} is needed", bytes, kGranularity));
  if (alignment & (alignment - 1)) return invalid(fmt::format("an alignment of {}: a power of two is needed", alignment));
  auto base = arena_.reserve(bytes, alignment);
  if (!base) return {Failure::OutOfMemory, base.error().message};
  std::unique_lock lock(mutex_);
  ranges_.emplace(*base, bytes);
  *out = *base;
  return Status::success();
}

Status AddressRanges::free(Address base, size_t bytes) {
  std::unique_lock lock(mutex_);
  auto range = ranges_.find(base);
  if (range == ranges_.end() || range->second != bytes)
    return invalid(fmt::format("{:#x} + {} is not a range that was reserved", base, bytes));
  auto mapping = mappings_.lower_bound(base);
  if (mapping != mappings_.end() && mapping->first < base + bytes)
    return invalid(fmt::format("memory is still mapped at {:#x}", mapping->first));
  ranges_.erase(range);
  arena_.unreserve(base, bytes);
  return Status::success();
}

Status AddressRanges::create(size_t bytes, MemoryId* out) {
  if (bytes == 0 || bytes % kGranularity) return invalid(fmt::format("{} bytes: a multiple of {} is needed", bytes, kGranularity));
  if (auto room = arena_.take(bytes); !room) return {Failure::OutOfMemory, room.error().message};
  int fd = memfd_create("warpwise", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    if (fd >= 0) close(fd);
    arena_.give_back(bytes);
    return {Failure::OutOfMemory, "the host has no memory for it"};
  }
  std::unique_lock lock(mutex_);
  *out = next_++;
  memories_.emplace(*out, Memory{fd, bytes});
  return Status::success();
}

Status AddressRanges::retain(Address address, MemoryId* out) {
  std::unique_lock lock(mutex_);
  auto mapping = mapping_at(address);
  if (mapping == mappings_.cend()) return invalid(fmt::format("no memory is mapped at {:#x}", address));
  *out = mapping->second.memory;
  ++memories_.at(*out).owners;
  return Status::success();
}

Status AddressRanges::release(MemoryId memory) {
  std::unique_lock lock(mutex_);
  auto found = memories_.find(memory);
  if (found == memories_.end() || found->second.owners == 0) return invalid("there is no such memory, or it was released before");
  --found->second.owners;
  drop_if_unused(found);
  return Status::success();
}

void AddressRanges::drop_if_unused(std::map<MemoryId, Memory>::iterator memory) {
  if (memory->second.owners || memory->second.mappings) return;
  close(memory->second.fd);
  if (!memory->second.foreign) arena_.give_back(memory->second.bytes);
  memories_.erase(memory);
}

Status AddressRanges::map(Address address, size_t bytes, MemoryId memory, size_t offset) {
  std::unique_lock lock(mutex_);
  if (bytes == 0 || bytes % kGranularity || address % kGranularity || offset % kGranularity)
    return invalid(fmt::format("address, size and offset must be multiples of {}", kGranularity));
  auto found = memories_.find(memory);
  if (found == memories_.end()) return invalid("there is no such memory");
  if (offset > found->second.bytes || bytes > found->second.bytes - offset)
    // The code is a real driver's.
    return {Failure::NotSupported, fmt::format("{} bytes from byte {} of memory of {}", bytes, offset, found->second.bytes)};
  if (!range_around(address, bytes)) return invalid(fmt::format("{:#x} + {} is not in a reserved range", address, bytes));
  auto next = mappings_.lower_bound(address);
  bool taken = (next != mappings_.end() && next->first < address + bytes) || mapping_at(address) != mappings_.cend();
  if (taken) return invalid(fmt::format("something is mapped at {:#x} already", address));
  void* at = mmap(engine_view(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, found->second.fd, static_cast<off_t>(offset));
  if (at == MAP_FAILED) {
    blank(address, bytes);
    return {Failure::OutOfMemory, "the host cannot map it"};
  }
  ++found->second.mappings;
  mappings_.emplace(address, Mapping{bytes, memory, Access::None});
  return Status::success();
}

Status AddressRanges::unmap(Address address, size_t bytes) {
  if (Status status = wait_(); !status.ok()) return status;
  std::unique_lock lock(mutex_);
  auto [first, last] = mappings_in(address, bytes);
  if (first == last) return invalid(fmt::format("{:#x} + {} is not made of whole mappings", address, bytes));
  blank(address, bytes);
  for (auto mapping = first; mapping != last;) {
    auto memory = memories_.find(mapping->second.memory);
    tell_access(mapping->first, mapping->second, Access::None);
    mapping = mappings_.erase(mapping);
    --memory->second.mappings;
    drop_if_unused(memory);
  }
  return Status::success();
}

Status AddressRanges::set_access(Address address, size_t bytes, Access access) {
  std::unique_lock lock(mutex_);
  auto [first, last] = mappings_in(address, bytes);
  if (first == last) return invalid(fmt::format("{:#x} + {} is not made of whole mappings", address, bytes));
  if (mprotect(engine_view(address), bytes, protection_of(access)) != 0)
    return {Failure::OutOfMemory, "the host cannot change the access"};
  for (auto mapping = first; mapping != last; ++mapping) tell_access(mapping->first, mapping->second, access);
  return Status::success();
}

void AddressRanges::tell_access(Address address, Mapping& mapping, Access access) {
  const bool was = mapping.access != Access::None, is = access != Access::None;
  mapping.access = access;
  Observer* observer = arena_.observer();
  if (!observer || was == is) return;
  const Region region{address, mapping.bytes, device::MemoryKind::Device, Owner::Program, {}};
  if (!is) return observer->freed(region);
  observer->allocated(region);
  // It may have been written elsewhere: through another mapping, or by another process.
  observer->written(region.base, region.size);
}

Status AddressRanges::get_access(Address address, Access* out) const {
  std::shared_lock lock(mutex_);
  auto mapping = mapping_at(address);
  if (mapping == mappings_.cend()) return invalid(fmt::format("no memory is mapped at {:#x}", address));
  *out = mapping->second.access;
  return Status::success();
}

Status AddressRanges::map_host(void* host, size_t bytes, Address* out) {
  auto address = adopted_.adopt(host, bytes);
  if (!address) return {address.error().code == "R0101" ? Failure::OutOfMemory : Failure::NotSupported, address.error().message};
  *out = *address;
  return Status::success();
}

Status AddressRanges::unmap_host(Address base) {
  Status status = wait_();
  return adopted_.give_up(base) ? status : invalid(fmt::format("no host memory is mapped at {:#x}", base));
}

Status AddressRanges::lend(Address address, device::SharedMemory* out) {
  auto lent = arena_.share(address);
  if (!lent) return invalid(lent.error().message);
  *out = {lent->file, lent->offset, lent->region.size};
  return Status::success();
}

Status AddressRanges::open_lent(const device::SharedMemory& memory, Address* out) {
  auto address = shared_.open(memory.file, memory.offset, memory.bytes);
  if (!address) return {address.error().code == "R0101" ? Failure::OutOfMemory : Failure::InvalidValue, address.error().message};
  *out = *address;
  return Status::success();
}

Status AddressRanges::close_lent(Address base) {
  Status status = wait_();
  return shared_.close(base) ? status : invalid(fmt::format("no memory of another process is mapped at {:#x}", base));
}

Status AddressRanges::file_of(MemoryId memory, int* file) {
  std::shared_lock lock(mutex_);
  auto found = memories_.find(memory);
  if (found == memories_.end()) return invalid("there is no such memory");
  *file = found->second.fd;
  return Status::success();
}

Status AddressRanges::create_from(int file, MemoryId* out) {
  struct stat about{};
  const int own = fcntl(file, F_DUPFD_CLOEXEC, 0);
  if (own < 0 || fstat(own, &about) != 0 || about.st_size <= 0 || static_cast<size_t>(about.st_size) % kGranularity) {
    if (own >= 0) close(own);
    return invalid(fmt::format("file {} is no memory of a device", file));
  }
  std::unique_lock lock(mutex_);
  *out = next_++;
  Memory memory{own, static_cast<size_t>(about.st_size)};
  memory.foreign = true;
  memories_.emplace(*out, memory);
  return Status::success();
}

const std::pair<const Address, size_t>* AddressRanges::range_around(Address address, size_t bytes) const {
  auto after = ranges_.upper_bound(address);
  if (after == ranges_.begin()) return nullptr;
  const auto& range = *std::prev(after);
  uint64_t offset = address - range.first;
  return offset <= range.second && bytes <= range.second - offset ? &range : nullptr;
}

AddressRanges::Mappings::const_iterator AddressRanges::mapping_at(Address address) const {
  auto after = mappings_.upper_bound(address);
  if (after == mappings_.begin()) return mappings_.end();
  auto mapping = std::prev(after);
  return address - mapping->first < mapping->second.bytes ? mapping : mappings_.end();
}

std::pair<AddressRanges::Mappings::iterator, AddressRanges::Mappings::iterator> AddressRanges::mappings_in(Address address,
                                                                                                     size_t bytes) {
  auto first = mappings_.find(address), last = first;
  Address end = address;
  while (last != mappings_.end() && last->first == end && end < address + bytes) {
    end += last->second.bytes;
    ++last;
  }
  if (end != address + bytes) return {mappings_.end(), mappings_.end()};
  return {first, last};
}

// All mappings with access that follow each other without a gap.
std::optional<Region> AddressRanges::region_at(Address address) const {
  if (auto region = adopted_.region_at(address)) return region;
  if (auto region = shared_.region_at(address)) return region;
  std::shared_lock lock(mutex_);
  auto first = mapping_at(address);
  if (first == mappings_.end() || first->second.access == Access::None) return std::nullopt;
  auto last = std::next(first);
  while (first != mappings_.begin()) {
    auto before = std::prev(first);
    if (before->second.access == Access::None || before->first + before->second.bytes != first->first) break;
    first = before;
  }
  Address end = std::prev(last)->first + std::prev(last)->second.bytes;
  while (last != mappings_.end() && last->first == end && last->second.access != Access::None) {
    end += last->second.bytes;
    ++last;
  }
  return Region{first->first, end - first->first, device::MemoryKind::Device, Owner::Program, {}};
}

void AddressRanges::end_context() {
  adopted_.clear();
  shared_.clear();
}

void AddressRanges::clear() {
  end_context();
  std::unique_lock lock(mutex_);
  mappings_.clear();
  for (auto& [id, memory] : memories_) {
    close(memory.fd);
    if (!memory.foreign) arena_.give_back(memory.bytes);
  }
  memories_.clear();
  for (auto& [base, bytes] : ranges_) arena_.unreserve(base, bytes);
  ranges_.clear();
}

}  // namespace warpwise::exec
