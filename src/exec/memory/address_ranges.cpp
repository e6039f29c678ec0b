#include "exec/memory/address_ranges.h"

#include <fcntl.h>
#include <fmt/format.h>
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
    case Access::None:
      return PROT_NONE;
    case Access::Read:
      return PROT_READ;
    case Access::ReadWrite:
      break;
  }
  return PROT_READ | PROT_WRITE;
}

Status invalid(std::string detail) { return {Failure::InvalidValue, std::move(detail)}; }

// Takes access and memory away; the addresses stay ours.
void blank(Address address, size_t bytes) {
  mmap(engine_view(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

}  // namespace

AddressRanges::AddressRanges(Arena& arena, std::function<Status()> wait)
    : arena_(arena), adopted_(arena), shared_(arena), wait_(std::move(wait)) {
  arena_.also_look_in(this);
}

AddressRanges::~AddressRanges() {
  arena_.also_look_in(nullptr);
  clear();
}

Status AddressRanges::reserve(size_t bytes, size_t alignment, Address* out) {
  if (bytes == 0 || bytes % kGranularity)
    return invalid(fmt::format("{} bytes: a multiple of {} is needed", bytes, kGranularity));
  if (alignment & (alignment - 1))
    return invalid(fmt::format("an alignment of {}: a power of two is needed", alignment));
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

Status AddressRanges::create(size_t bytes, unsigned home, MemoryId* out) {
  if (bytes == 0 || bytes % kGranularity)
    return invalid(fmt::format("{} bytes: a multiple of {} is needed", bytes, kGranularity));
  if (auto room = arena_.take(bytes); !room) return {Failure::OutOfMemory, room.error().message};
  int fd = memfd_create("warpwise", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    if (fd >= 0) close(fd);
    arena_.give_back(bytes);
    return {Failure::OutOfMemory, "the host has no memory for it"};
  }
  std::unique_lock lock(mutex_);
  *out = next_++;
  memories_.emplace(*out, Memory{.fd = fd, .bytes = bytes, .home = home});
  return Status::success();
}

Status AddressRanges::home_of(MemoryId memory, unsigned* home) const {
  std::shared_lock lock(mutex_);
  auto found = memories_.find(memory);
  if (found == memories_.end()) return invalid("there is no such memory");
  *home = found->second.home;
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
  if (found == memories_.end() || found->second.owners == 0)
    return invalid("there is no such memory, or it was released before");
  --found->second.owners;
  drop_if_unused(found);
  return Status::success();
}

void AddressRanges::drop_if_unused(Memories::iterator memory) {
  if (memory->second.owners || memory->second.mappings) return;
  if (std::shared_ptr<Multicast> object = memory->second.multicast) {
    memories_.erase(memory);
    object->for_each_binding([&](const Multicast::Binding& binding) { close_window(binding); });
    return;
  }
  close(memory->second.fd);
  if (!memory->second.foreign) arena_.give_back(memory->second.bytes);
  memories_.erase(memory);
}

Status AddressRanges::create_multicast(size_t bytes, unsigned devices, MemoryId* out) {
  if (bytes == 0 || bytes % kGranularity)
    return invalid(fmt::format("{} bytes: a multiple of {} is needed", bytes, kGranularity));
  std::unique_lock lock(mutex_);
  *out = next_++;
  memories_.emplace(*out, Memory{.bytes = bytes, .multicast = std::make_shared<Multicast>(bytes, devices)});
  return Status::success();
}

Status AddressRanges::find_multicast(MemoryId id, Memories::iterator* out) {
  *out = memories_.find(id);
  if (*out == memories_.end() || !(*out)->second.multicast) return invalid("there is no such multicast object");
  return Status::success();
}

Status AddressRanges::join(MemoryId multicast, unsigned device) {
  std::unique_lock lock(mutex_);
  Memories::iterator object;
  if (Status status = find_multicast(multicast, &object); !status.ok()) return status;
  std::string why = object->second.multicast->join(device);
  return why.empty() ? Status::success() : invalid(std::move(why));
}

Status AddressRanges::bind(MemoryId multicast, size_t offset, MemoryId memory, size_t memory_offset, size_t bytes) {
  std::unique_lock lock(mutex_);
  Memories::iterator object;
  if (Status status = find_multicast(multicast, &object); !status.ok()) return status;
  auto found = memories_.find(memory);
  if (found == memories_.end() || found->second.multicast) return invalid("there is no such memory");
  if (bytes == 0 || bytes % kGranularity || offset % kGranularity || memory_offset % kGranularity)
    return invalid(fmt::format("size and offsets must be multiples of {}", kGranularity));
  if (memory_offset > found->second.bytes || bytes > found->second.bytes - memory_offset)
    return invalid(fmt::format("{} bytes from byte {} of memory of {}", bytes, memory_offset, found->second.bytes));
  Multicast& object_of = *object->second.multicast;
  // A real driver waits here for another thread or process to add them. A program that has neither would wait for ever.
  if (!object_of.complete())
    return invalid("devices are still to be added (cuMulticastAddDevice) before memory is bound");
  const unsigned home = found->second.home;
  if (std::string why = object_of.may_bind(home, offset, bytes); !why.empty()) return invalid(std::move(why));
  Multicast::Binding binding{bytes, memory, memory_offset, 0};
  if (Status status = open_window(found->second, memory_offset, bytes, &binding.window); !status.ok()) return status;
  ++found->second.mappings;
  change_access(binding.window, windows_.emplace(binding.window, Mapping{bytes, memory, Access::None}).first->second,
                Access::ReadWrite);
  object_of.bind(home, offset, binding);
  return Status::success();
}

Status AddressRanges::bind_mapped(MemoryId multicast, size_t offset, Address address, size_t bytes) {
  MemoryId memory = 0;
  size_t memory_offset = 0;
  {
    std::shared_lock lock(mutex_);
    auto mapping = mapping_at(address);
    if (mapping == mappings_.end() || address + bytes > mapping->first + mapping->second.bytes)
      return invalid(fmt::format("{:#x} + {} is not in memory that cuMemCreate made", address, bytes));
    memory = mapping->second.memory;
    memory_offset = mapping->second.offset + (address - mapping->first);
  }
  return bind(multicast, offset, memory, memory_offset, bytes);
}

Status AddressRanges::unbind(MemoryId multicast, unsigned device, size_t offset, size_t bytes) {
  if (Status status = wait_(); !status.ok()) return status;
  std::unique_lock lock(mutex_);
  Memories::iterator object;
  if (Status status = find_multicast(multicast, &object); !status.ok()) return status;
  const Multicast::Binding binding = object->second.multicast->unbind(device, offset, bytes);
  if (binding.bytes == 0)
    return invalid(fmt::format("device {} has bound no memory to exactly {} + {}", device, offset, bytes));
  close_window(binding);
  return Status::success();
}

Status AddressRanges::open_window(const Memory& memory, size_t offset, size_t bytes, Address* out) {
  auto base = arena_.reserve(bytes, 0);
  if (!base) return {Failure::OutOfMemory, base.error().message};
  void* at = mmap(engine_view(*base), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, memory.fd,
                  static_cast<off_t>(offset));
  if (at == MAP_FAILED) {
    arena_.unreserve(*base, bytes);
    return {Failure::OutOfMemory, "the host cannot map it"};
  }
  *out = *base;
  return Status::success();
}

void AddressRanges::close_window(const Multicast::Binding& binding) {
  auto window = windows_.find(binding.window);
  change_access(window->first, window->second, Access::None);
  windows_.erase(window);
  arena_.unreserve(binding.window, binding.bytes);
  auto memory = memories_.find(binding.memory);
  --memory->second.mappings;
  drop_if_unused(memory);
}

// Where the program has mapped the memory, too, the copy is at that address: so an observer sees one place and not two.
Arena::Copy AddressRanges::copy_at(Address address, size_t bytes, bool writes, unsigned index) const {
  std::shared_lock lock(mutex_);
  auto mapping = mapping_at(address);
  const Multicast* object = mapping == mappings_.end() ? nullptr : memories_.at(mapping->second.memory).multicast.get();
  if (!object)
    return {.why_not = "no multicast object is mapped there: `multimem` wants an address that cuMemMap gave to one"};
  if (mapping->second.access < (writes ? Access::ReadWrite : Access::Read))
    return {.why_not = "the program has not given the device this access to the multicast object (cuMemSetAccess)"};
  const Address mapped_end = mapping->first + mapping->second.bytes;
  if (index >= object->devices()) return {.first = mapping->first, .end = mapped_end};
  size_t at = 0;
  const size_t offset = mapping->second.offset + (address - mapping->first);
  const Multicast::Binding* binding = object->copy(index, offset, bytes, &at);
  if (!binding)
    return {.why_not = fmt::format("one of the {} devices has bound no memory to byte {} of the multicast object",
                                   object->devices(), offset)};
  // `before` and `behind`: how many bytes lie around these in one piece, of the object's mapping, of the memory bound
  // to it and, then, of the copy.
  auto answer = [&](Address copy, size_t before, size_t behind) {
    return Arena::Copy{.address = copy,
                       .first = address - std::min(before, size_t(address - mapping->first)),
                       .end = address + std::min(behind, size_t(mapped_end - address))};
  };
  const size_t wanted = binding->memory_offset + at;
  for (const auto& [base, own] : mappings_)
    if (own.memory == binding->memory && own.access == Access::ReadWrite && wanted >= own.offset &&
        wanted - own.offset + bytes <= own.bytes)
      return answer(base + (wanted - own.offset), std::min(at, wanted - own.offset),
                    std::min(binding->bytes - at, own.bytes - (wanted - own.offset)));
  return answer(binding->window + at, at, binding->bytes - at);
}

Status AddressRanges::map(Address address, size_t bytes, MemoryId memory, size_t offset) {
  std::unique_lock lock(mutex_);
  if (bytes == 0 || bytes % kGranularity || address % kGranularity || offset % kGranularity)
    return invalid(fmt::format("address, size and offset must be multiples of {}", kGranularity));
  auto found = memories_.find(memory);
  if (found == memories_.end()) return invalid("there is no such memory");
  if (offset > found->second.bytes || bytes > found->second.bytes - offset)
    // A real driver returns this code.
    return {Failure::NotSupported,
            fmt::format("{} bytes from byte {} of memory of {}", bytes, offset, found->second.bytes)};
  if (!range_around(address, bytes))
    return invalid(fmt::format("{:#x} + {} is not in a reserved range", address, bytes));
  auto next = mappings_.lower_bound(address);
  bool taken = (next != mappings_.end() && next->first < address + bytes) || mapping_at(address) != mappings_.cend();
  if (taken) return invalid(fmt::format("something is mapped at {:#x} already", address));
  if (found->second.multicast) {
    if (!found->second.multicast->complete())
      return invalid("devices are still to be added (cuMulticastAddDevice) before the object is mapped");
  } else if (mmap(engine_view(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, found->second.fd,
                  static_cast<off_t>(offset)) == MAP_FAILED) {
    blank(address, bytes);
    return {Failure::OutOfMemory, "the host cannot map it"};
  }
  ++found->second.mappings;
  mappings_.emplace(address, Mapping{bytes, memory, Access::None, offset});
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
    if (!memory->second.multicast) change_access(mapping->first, mapping->second, Access::None);
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
  for (auto mapping = first; mapping != last; ++mapping) {
    const bool memory = !memories_.at(mapping->second.memory).multicast;
    if (memory && mprotect(engine_view(mapping->first), mapping->second.bytes, protection_of(access)) != 0)
      return {Failure::OutOfMemory, "the host cannot change the access"};
    if (memory)
      change_access(mapping->first, mapping->second, access);
    else
      mapping->second.access = access;
  }
  return Status::success();
}

void AddressRanges::change_access(Address address, Mapping& mapping, Access access) {
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
  if (!address)
    return {address.error().code == "R0101" ? Failure::OutOfMemory : Failure::NotSupported, address.error().message};
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
  if (!address)
    return {address.error().code == "R0101" ? Failure::OutOfMemory : Failure::InvalidValue, address.error().message};
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
  if (found->second.multicast)
    return {Failure::NotSupported, "multicast objects are not shared with other processes yet"};
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

AddressRanges::Mappings::const_iterator AddressRanges::find_in(const Mappings& mappings, Address address) {
  auto after = mappings.upper_bound(address);
  if (after == mappings.begin()) return mappings.end();
  auto mapping = std::prev(after);
  return address - mapping->first < mapping->second.bytes ? mapping : mappings.end();
}

std::pair<AddressRanges::Mappings::iterator, AddressRanges::Mappings::iterator> AddressRanges::mappings_in(
    Address address, size_t bytes) {
  auto first = mappings_.find(address), last = first;
  Address end = address;
  while (last != mappings_.end() && last->first == end && end < address + bytes) {
    end += last->second.bytes;
    ++last;
  }
  if (end != address + bytes) return {mappings_.end(), mappings_.end()};
  return {first, last};
}

// All mappings of memory with access that follow each other without a gap.
std::optional<Region> AddressRanges::region_at(Address address) const {
  if (auto region = adopted_.region_at(address)) return region;
  if (auto region = shared_.region_at(address)) return region;
  std::shared_lock lock(mutex_);
  auto region_of = [](Address base, size_t bytes) {
    return Region{base, bytes, device::MemoryKind::Device, Owner::Program, {}};
  };
  if (auto window = find_in(windows_, address); window != windows_.end())
    return region_of(window->first, window->second.bytes);
  auto may_be_touched = [&](const Mapping& mapping) {
    return mapping.access != Access::None && !memories_.at(mapping.memory).multicast;
  };
  auto first = mapping_at(address);
  if (first == mappings_.end() || !may_be_touched(first->second)) return std::nullopt;
  auto last = std::next(first);
  while (first != mappings_.begin()) {
    auto before = std::prev(first);
    if (!may_be_touched(before->second) || before->first + before->second.bytes != first->first) break;
    first = before;
  }
  Address end = std::prev(last)->first + std::prev(last)->second.bytes;
  while (last != mappings_.end() && last->first == end && may_be_touched(last->second)) {
    end += last->second.bytes;
    ++last;
  }
  return region_of(first->first, end - first->first);
}

void AddressRanges::end_context() {
  adopted_.clear();
  shared_.clear();
}

void AddressRanges::clear() {
  end_context();
  std::unique_lock lock(mutex_);
  mappings_.clear();
  for (const auto& [base, window] : windows_) arena_.unreserve(base, window.bytes);
  windows_.clear();
  for (auto& [id, memory] : memories_) {
    if (memory.multicast) continue;
    close(memory.fd);
    if (!memory.foreign) arena_.give_back(memory.bytes);
  }
  memories_.clear();
  for (auto& [base, bytes] : ranges_) arena_.unreserve(base, bytes);
  ranges_.clear();
}

}  // namespace warpwise::exec
