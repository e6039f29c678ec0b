#include "check/race/unwritten_memory.h"

#include "simt/abi.h"

namespace warpwise::check {

void find_unwritten_memory(const LaunchPointers& pointers, KnownMemory& known) {
  const uint64_t written = pointers.kernel().written_pointers;  // by parameter; all bits: anything
  if (written == ~uint64_t{0}) return;
  for (uint64_t n = 0; n < pointers.count(); ++n) {
    const exec::Region* region = pointers.allocation(n);
    if (!region) continue;
    known[n].first = region->base + simt::kAliasOffset;
    known[n].unwritten = pointers.is_reached(*region, written) ? 0 : region->size;
  }
}

}  // namespace warpwise::check
