#include "exec/image_services.h"

#include <bit>

#include "exec/block_run.h"
#include "exec/image_fault.h"
#include "exec/texture_table.h"
#include "texture/warp_access.h"

namespace warpwise::exec {
namespace {

[[noreturn]] void stop(BlockRun& run, KernelFault fault, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc) {
  fault.thread = run.running_thread >= 0 ? run.running_thread : int64_t{warp} * simt::kLanes + lane;
  fault.instruction = site;
  run.fail(std::move(fault), pc);
}

// Lanes with the same handle go together; mostly that is the whole warp.
void image(simt::BlockContext* block, uint32_t warp, uint32_t mask, uint64_t code, const uint64_t* handles, const uint32_t* words,
           uint32_t* results, uint32_t site) {
  const uint64_t pc = reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1;
  BlockRun& run = *static_cast<BlockRun*>(block->engine);
  const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
  while (mask != 0) {
    const unsigned first = std::countr_zero(mask);
    uint32_t same = 0;
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {  // what lanes outside the mask hold may not even be memory
      const unsigned lane = std::countr_zero(rest);
      if (handles[lane] == handles[first]) same |= uint32_t{1} << lane;
    }
    const device::TextureDescriptor* texture = run.launch.machine.textures->find(handles[first]);
    if (!texture) stop(run, no_such_image(handles[first], access), warp, first, site, pc);
    const texture::WarpOutcome outcome = texture::access_warp(*texture, access, same, words, results);
    if (outcome.outcome != texture::Outcome::Done) stop(run, image_fault(*texture, access, outcome.outcome), warp, outcome.lane, site, pc);
    mask &= ~same;
  }
}

}  // namespace

void add_image_services(simt::Services& table) { table.image = image; }

}  // namespace warpwise::exec
