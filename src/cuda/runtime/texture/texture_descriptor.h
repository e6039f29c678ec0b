// Converts CUDA's descriptions of a texture, of its memory and of its sampling to the device's (device/texture.h).
#pragma once

#include "cuda/runtime/error.h"
#include "cuda/runtime/texture/texture_types.h"
#include "device/device.h"
#include "device/texture.h"

namespace warpwise::cuda {

class Process;

constexpr size_t kTextureAlignment = 512;              // cudaDeviceProp::textureAlignment
constexpr size_t kMostLinearTexels = size_t{1} << 30;  // the value of an H200

// Fails with the code that cudaCreateTextureObject documents.
cudaError_t describe_texture(Process& process, device::Device& gpu, const cudaResourceDesc& resource,
                             const cudaTextureDesc& desc, device::TextureDescriptor* out);

}  // namespace warpwise::cuda
