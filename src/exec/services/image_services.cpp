// The service of textures and surfaces: the texture unit (src/texture) behind compiled code.
#include <bit>

#include "exec/launch/block_run.h"
#include "exec/observer.h"
#include "exec/services/image_fault.h"
#include "exec/services/services.h"
#include "exec/services/texture_table.h"
#include "texture/warp_access.h"

namespace warpwise::exec {
namespace {

[[noreturn]] void stop(BlockRun& run, KernelFault fault, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc) {
  fault.thread = run.running_thread >= 0 ? run.running_thread : int64_t{warp} * simt::kLanes + lane;
  fault.instruction = site;
  run.fail(std::move(fault), pc);
}

// A store counts as one of the whole level: only the texture unit knows the texel.
void report_written(Observer& observer, const device::Image& image, const device::ImageLevel& level) {
  const uint64_t row = uint64_t{level.width} * image.format.bytes();
  const uint64_t slices = uint64_t{level.depth} * image.layers * (image.shape == device::ImageShape::Cube ? 6 : 1);
  for (uint64_t z = 0; z < slices; ++z)
    for (uint64_t y = 0; y < level.height; ++y) observer.written(level.base + z * level.slice + y * level.pitch, row);
}

}  // namespace

// Lanes with the same handle go together; mostly that is the whole warp.
void service::image(simt::BlockContext* block, uint32_t warp, uint32_t mask, uint64_t code, const uint64_t* handles,
                    const uint32_t* words, uint32_t* results, uint32_t site) {
  const uint64_t pc = reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1;
  BlockRun& run = *static_cast<BlockRun*>(block->engine);
  const ptx::ImageAccess access = ptx::ImageAccess::unpack(code);
  while (mask != 0) {
    const unsigned first = std::countr_zero(mask);
    uint32_t same = 0;
    for (uint32_t rest = mask; rest != 0;
         rest &= rest - 1) {  // what lanes outside the mask hold may not even be memory
      const unsigned lane = std::countr_zero(rest);
      if (handles[lane] == handles[first]) same |= uint32_t{1} << lane;
    }
    const device::TextureDescriptor* texture = run.launch.machine.textures->find(handles[first]);
    if (!texture) stop(run, no_such_image(handles[first], access), warp, first, site, pc);
    const texture::WarpOutcome outcome = texture::access_warp(*texture, access, same, words, results);
    if (outcome.outcome != texture::Outcome::Done)
      stop(run, image_fault(*texture, access, outcome.outcome), warp, outcome.lane, site, pc);
    if (Observer* observer = run.launch.machine.observer;
        observer &&
        (access.operation == ptx::ImageOperation::Store || access.operation == ptx::ImageOperation::StoreFormatted))
      for (unsigned k = 0; k < texture->image.level_count; ++k)
        report_written(*observer, texture->image, texture->image.levels[k]);
    mask &= ~same;
  }
}

}  // namespace warpwise::exec
