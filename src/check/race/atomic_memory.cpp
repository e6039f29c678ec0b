#include "check/race/atomic_memory.h"

#include "simt/abi.h"

namespace warpwise::check {

void find_atomic_memory(const LaunchPointers& pointers, KnownMemory& known) {
  const simt::CompiledKernel& about = pointers.kernel();
  if (about.accessed_pointers == ~uint64_t{0} || about.plain_pointers == ~uint64_t{0}) return;
  const uint64_t atomic = about.accessed_pointers & ~about.plain_pointers;
  for (uint64_t n = 0; n < pointers.count(); ++n) {
    const exec::Region* region = atomic >> n & 1 ? pointers.allocation(n) : nullptr;
    if (!region || pointers.is_reached(*region, about.plain_pointers)) continue;
    known[n].first = region->base + simt::kAliasOffset;
    known[n].atomic = region->size;
  }
}

}  // namespace warpwise::check
