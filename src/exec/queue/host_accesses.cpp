#include "exec/queue/host_accesses.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/host_place.h"
#include "exec/memory/arena.h"
#include "exec/memory/copies.h"
#include "exec/observer.h"

namespace warpwise::exec {

using device::Address;
using Closed = HostPages::Closed;

std::byte* open_view(const void* pointer) {
  const auto address = reinterpret_cast<Address>(pointer);
  return Arena::in_window(address) ? engine_view(address) : static_cast<std::byte*>(const_cast<void*>(pointer));
}

HostAccesses::HostAccesses(Arena& arena, WorkQueue& queue, Observer& observer)
    : arena_(arena),
      queue_(queue),
      observer_(observer),
      pages_([this](Address address, bool writes, uint64_t pc) { touched(address, writes, pc); }) {
  arena_.close_with(&pages_);
}

HostAccesses::~HostAccesses() { arena_.close_with(nullptr); }

bool HostAccesses::concern(const device::Command& command) const {
  bool any = false;
  for_each_use(command, [&](Address, size_t, Closed) { any = true; });
  return any;
}

void HostAccesses::submitted(const device::Command& command, const std::shared_ptr<const StreamOrder::Command>& order) {
  for_each_use(command, [&](Address base, size_t bytes, Closed what) { pages_.close(base, bytes, what, order); });
}

void HostAccesses::waited(const StreamOrder& order) {
  pages_.open_where([&](const StreamOrder::Command& command) { return order.host_is_after(command); });
}

void HostAccesses::for_each_use(const device::Command& command, const Use& use) const {
  struct Visitor {
    const HostAccesses& touches;
    const Use& use;
    std::optional<Region> shared(Address address) const {
      std::optional<Region> region;
      if (Arena::in_window(address)) region = touches.arena_.find(address);
      return region && region->kind != device::MemoryKind::Device ? region : std::nullopt;
    }
    // The rectangle of a copy from its first byte to its last.
    void range(Address base, const device::CopyShape& shape, size_t pitch, size_t slice, Closed what) const {
      const auto region = shared(base);
      const Extent extent = extent_of(shape.width, shape.height, shape.depth, pitch, slice);
      if (region && extent.valid && region->contains(base, extent.bytes)) use(base, extent.bytes, what);
    }
    void operator()(const device::CopyToDevice& c) const {
      range(reinterpret_cast<Address>(c.src), c.shape, c.shape.src_pitch, c.shape.src_slice, Closed::Writes);
      range(c.dst, c.shape, c.shape.dst_pitch, c.shape.dst_slice, Closed::All);
    }
    void operator()(const device::CopyFromDevice& c) const {
      range(c.src, c.shape, c.shape.src_pitch, c.shape.src_slice, Closed::Writes);
      range(reinterpret_cast<Address>(c.dst), c.shape, c.shape.dst_pitch, c.shape.dst_slice, Closed::All);
    }
    void operator()(const device::CopyOnDevice& c) const {
      range(c.src, c.shape, c.shape.src_pitch, c.shape.src_slice, Closed::Writes);
      range(c.dst, c.shape, c.shape.dst_pitch, c.shape.dst_slice, Closed::All);
    }
    void operator()(const device::CopyOnHost& c) const {
      range(reinterpret_cast<Address>(c.src), c.shape, c.shape.src_pitch, c.shape.src_slice, Closed::Writes);
      range(reinterpret_cast<Address>(c.dst), c.shape, c.shape.dst_pitch, c.shape.dst_slice, Closed::All);
    }
    void operator()(const device::Fill& f) const {
      range(f.dst, {.width = f.width, .height = f.height}, f.pitch, 0, Closed::All);
    }
    void operator()(const device::Launch& launch) const {
      for (const Region& region : touches.reachable(launch))
        if (region.kind != device::MemoryKind::Device) use(region.base, region.size, Closed::All);
      for (const HostPages::Piece& piece : touches.pages_.variables()) use(piece.base, piece.bytes, Closed::All);
    }
    void operator()(const device::HostFunction&) const {}
    void operator()(const device::RecordEvent&) const {}
    void operator()(const device::WaitEvent&) const {}
    void operator()(const device::WaitValue&) const {}   // the host may write what a stream waits for
    void operator()(const device::WriteValue&) const {}  // and look for what a stream writes
    void operator()(const device::Lifetime&) const {}
  };
  std::visit(Visitor{*this, use}, command);
}

std::vector<Region> HostAccesses::reachable(const device::Launch& launch) const {
  constexpr size_t kMostScanned = 1 << 20;
  std::vector<Region> found;
  auto follow = [&](const std::byte* words, size_t bytes) {
    for (size_t at = 0; at + sizeof(Address) <= bytes; at += sizeof(Address)) {
      Address address;
      std::memcpy(&address, words + at, sizeof address);
      if (!Arena::in_window(address)) continue;
      const bool known =
          std::any_of(found.begin(), found.end(), [&](const Region& r) { return r.contains(address, 1); });
      if (known) continue;
      if (const auto region = arena_.find(address); region && region->owner == Owner::Program) found.push_back(*region);
    }
  };
  follow(launch.parameters.data(), launch.parameters.size());
  size_t left = kMostScanned;
  for (size_t next = 0; next < found.size() && left != 0; ++next) {
    const size_t bytes = std::min(left, found[next].size);
    const Address base = found[next].base;
    left -= bytes;
    follow(engine_view(base), bytes);
  }
  return found;
}

// On the thread of the program, in its signal handler: it was in the program's own code, so none of our locks is held.
void HostAccesses::touched(Address address, bool writes, uint64_t pc) {
  HostPlace place = host_place_of(pc);
  if (place.empty()) return;  // the access is the runtime's own, for a command: it is not reported
  queue_.host_acted(
      [this, address, writes, place = std::move(place)] { observer_.host_touched(address, writes, place); });
}

}  // namespace warpwise::exec
