#include "lab/trial/unwritten_contents.h"

#include <cstring>

#include "exec/launch/block_run.h"
#include "exec/memory/arena.h"

namespace warpwise::lab {

void UnwrittenContents::allocated(const exec::Region& region) {
  if (region.owner == exec::Owner::Program && region.kind == device::MemoryKind::Device)
    std::memset(exec::engine_view(region.base), content_, region.size);
}

void UnwrittenContents::block_begins(exec::BlockRun& run) {
  const simt::BlockContext& c = run.context;
  if (c.total_shared_bytes != 0) std::memset(reinterpret_cast<void*>(c.shared), content_, c.total_shared_bytes);
}

}  // namespace warpwise::lab
