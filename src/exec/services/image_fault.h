// The message for a texture or surface access that cannot be done.
#pragma once

#include "exec/fault/fault_report.h"
#include "texture/access.h"

namespace warpwise::exec {

KernelFault no_such_image(uint64_t handle, const ptx::ImageAccess& access);
// outcome: Outside or Mismatch.
KernelFault image_fault(const device::TextureDescriptor& texture, const ptx::ImageAccess& access,
                        texture::Outcome outcome);

}  // namespace warpwise::exec
