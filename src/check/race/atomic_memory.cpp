#include "check/race/atomic_memory.h"

#include <algorithm>

#include "check/memory/shadow_memory.h"
#include "check/race/unwritten_memory.h"

namespace warpwise::check {

void find_atomic_memory(exec::BlockRun& run, const exec::Arena& arena) {
  const simt::CompiledKernel& about = run.launch.kernel.about();
  if (about.accessed_pointers == ~uint64_t{0} || about.plain_pointers == ~uint64_t{0}) return;
  const uint64_t count = std::min<uint64_t>(simt::kPointers, run.launch.launch.parameters.size() / 8);
  const uint64_t atomic = about.accessed_pointers & ~about.plain_pointers;
  for (uint64_t n = 0; n < count; ++n) {
    if (!(atomic >> n & 1)) continue;
    const auto region = region_of_parameter(run, arena, n);
    if (!region || region->owner != exec::Owner::Program || !ShadowMemory::covers(region->base, region->size)) continue;
    bool alone = true;
    for (uint64_t other = 0; other < count && alone; ++other)
      if (about.plain_pointers >> other & 1)
        if (const auto also = region_of_parameter(run, arena, other)) alone = also->base != region->base;
    if (!alone) continue;
    simt::PointedTo& known = (*run.pointer_provenance)[n];
    known.first = region->base + simt::kAliasOffset;
    known.atomic = region->size;
  }
}

}  // namespace warpwise::check
