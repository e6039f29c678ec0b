#include "check/race/unwritten_memory.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "check/memory/shadow_memory.h"

namespace warpwise::check {

std::optional<exec::Region> region_of_parameter(const exec::BlockRun& run, const exec::Arena& arena, uint64_t n) {
  device::Address address;
  std::memcpy(&address, reinterpret_cast<const char*>(run.context.parameters) + n * 8, sizeof address);
  return arena.find(address);
}

void find_unwritten_memory(exec::BlockRun& run, const exec::Arena& arena) {
  const uint64_t written = run.launch.kernel.about().written_pointers;  // by parameter; all bits: anything
  if (written == ~uint64_t{0}) return;
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  auto region_of = [&](uint64_t n) { return region_of_parameter(run, arena, n); };
  for (uint64_t n = 0; n < count; ++n) {
    const auto region = region_of(n);
    if (!region || region->owner != exec::Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    bool unwritten = true;
    for (uint64_t w = 0; w < count && unwritten; ++w)
      if (written >> w & 1)
        if (const auto other = region_of(w)) unwritten = other->base != region->base;
    simt::PointedTo& known = (*run.pointer_provenance)[n];
    known.first = region->base + simt::kAliasOffset;
    known.unwritten = unwritten ? region->size : 0;
  }
}

}  // namespace warpwise::check
