#include "check/race/launch_pointers.h"

#include <algorithm>
#include <cstring>

#include "check/memory/shadow_memory.h"

namespace warpwise::check {

LaunchPointers::LaunchPointers(const simt::CompiledKernel& kernel, const exec::KernelLaunch& launch,
                               const exec::Arena& arena)
    : kernel_(kernel), launch_(launch) {
  const uint64_t count = std::min<uint64_t>(simt::kPointers, launch.parameters.size() / 8);
  for (uint64_t n = 0; n < count; ++n) {
    device::Address address;
    std::memcpy(&address, launch.parameters.data() + n * 8, sizeof address);
    regions_.push_back(arena.find(address));
  }
}

const exec::Region* LaunchPointers::allocation(uint64_t n) const {
  const auto& region = regions_[n];
  const bool counts =
      region && region->owner == exec::Owner::Program && ShadowMemory::covers(region->base, region->size);
  return counts ? &*region : nullptr;
}

bool LaunchPointers::is_reached(const exec::Region& region, uint64_t parameters) const {
  for (uint64_t n = 0; n < count(); ++n)
    if ((parameters >> n & 1) && regions_[n] && regions_[n]->base == region.base) return true;
  return false;
}

bool is_all_known(const LaunchPointers& pointers, const KnownMemory& known) {
  const uint64_t accessed = pointers.kernel().accessed_pointers;  // all bits: anything
  if (accessed == ~uint64_t{0}) return false;
  for (uint64_t n = 0; n < simt::kPointers; ++n)
    if ((accessed >> n & 1) && known[n].unwritten == 0 && known[n].apart == 0 && known[n].atomic == 0) return false;
  return true;
}

}  // namespace warpwise::check
