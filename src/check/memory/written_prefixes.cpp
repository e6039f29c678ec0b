#include "check/memory/written_prefixes.h"

#include <algorithm>
#include <cstring>

#include "check/memory/shadow_memory.h"

namespace warpwise::check {

using device::Address;

uint64_t WrittenPrefixes::of(const exec::Region& region) {
  std::lock_guard lock(mutex_);
  uint64_t& bytes = bytes_[region.base];
  const uint8_t* shadow = ShadowMemory::at(region.base);
  uint64_t words;
  auto whole = [&] {
    return bytes + sizeof words <= region.size &&
           (std::memcpy(&words, shadow + bytes, sizeof words), words == ~uint64_t{0});
  };
  while (whole()) bytes += sizeof words;
  while (bytes < region.size && shadow[bytes] == simt::kInitialised) ++bytes;
  return bytes;
}

void WrittenPrefixes::note_pointers(exec::BlockRun& run, const exec::Arena& arena) {
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  for (uint64_t n = 0; n < count; ++n) {
    Address address;
    std::memcpy(&address, reinterpret_cast<const char*>(run.context.parameters) + n * 8, sizeof address);
    auto region = arena.find(address);
    if (!region || region->owner != exec::Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    (*run.pointer_provenance)[n].first = region->base + simt::kAliasOffset;
    (*run.pointer_provenance)[n].readable = of(*region);
  }
}

void WrittenPrefixes::forget(Address base) {
  std::lock_guard lock(mutex_);
  bytes_.erase(base);
}

void WrittenPrefixes::clear() {
  std::lock_guard lock(mutex_);
  bytes_.clear();
}

}  // namespace warpwise::check
