// Texture and surface references, which programs used before texture objects
// (include/cuda/warpwise/texture_references.h).
//
// In PTX a reference is a .texref or .surfref. On the device it is a variable of eight bytes that holds the handle of a
// texture (exec/services/texture_table.h). Binding a reference therefore makes a texture, as cudaCreateTextureObject
// does, and writes its handle there. A kernel reads through the binding at the time of its launch: earlier launches end
// first.
#include <algorithm>

#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/copy.h"
#include "cuda/runtime/texture/texture_descriptor.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

cudaError_t write_handle(Process& process, device::Device& gpu, const Variable& variable, uint64_t handle) {
  device::SymbolInfo symbol;
  CUDA_TRY(variable.module->resolve(gpu, variable, &symbol));
  device::CopyShape shape{.width = sizeof handle, .dst_pitch = sizeof handle, .src_pitch = sizeof handle};
  return copy(process, gpu, {reinterpret_cast<void*>(symbol.address), &handle, shape, cudaMemcpyHostToDevice});
}

// Null: unbound.
cudaError_t rebind(Process& process, device::Device& gpu, const void* reference,
                   const device::TextureDescriptor* texture, size_t offset) {
  const Variable* variable = process.modules.find_variable(reference);
  if (!variable)
    return fail(cudaErrorInvalidTexture, "{} is not a texture or surface reference of the program", reference);
  CUDA_TRY(fail(gpu.wait_all()));
  uint64_t handle = 0, before = 0;
  if (texture) CUDA_TRY(fail(gpu.create_texture(*texture, &handle)));
  CUDA_TRY(write_handle(process, gpu, *variable, handle));
  process.texture_references.with(reference, [&](ReferenceBinding& binding) {
    before = std::exchange(binding.handle, handle);
    binding.offset = offset;
  });
  return before ? fail(gpu.destroy_texture(before)) : cudaSuccess;
}

// The reference's own fields are read when it is bound.
cudaTextureDesc sampling_of(Process& process, const textureReference& reference) {
  cudaTextureDesc desc{};
  std::copy(std::begin(reference.addressMode), std::end(reference.addressMode), desc.addressMode);
  desc.filterMode = reference.filterMode;
  process.texture_references.with(&reference, [&](const ReferenceBinding& binding) {
    desc.readMode = binding.normalized_float ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
  });
  desc.sRGB = reference.sRGB;
  desc.normalizedCoords = reference.normalized;
  desc.maxAnisotropy = reference.maxAnisotropy;
  desc.mipmapFilterMode = reference.mipmapFilterMode;
  desc.mipmapLevelBias = reference.mipmapLevelBias;
  desc.minMipmapLevelClamp = reference.minMipmapLevelClamp;
  desc.maxMipmapLevelClamp = reference.maxMipmapLevelClamp;
  desc.disableTrilinearOptimization = reference.disableTrilinearOptimization;
  return desc;
}

cudaError_t bind(const char* function, const textureReference* reference, const cudaResourceDesc& resource,
                 size_t offset = 0) {
  return call(function, [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!reference) return fail(cudaErrorInvalidTexture, "the texture reference is null");
    device::TextureDescriptor texture;
    CUDA_TRY(describe_texture(process, gpu, resource, sampling_of(process, *reference), &texture));
    return rebind(process, gpu, reference, &texture, offset);
  });
}

// A texture begins at a multiple of textureAlignment. The caller must add the distance to the pointer to its
// coordinates, so it must ask for that offset.
cudaError_t align_base(const void* pointer, size_t* wanted, void** base, size_t* offset) {
  const auto address = reinterpret_cast<uintptr_t>(pointer);
  *offset = address % kTextureAlignment;
  *base = reinterpret_cast<void*>(address - *offset);
  if (wanted)
    *wanted = *offset;
  else if (*offset != 0)
    return fail(cudaErrorInvalidValue, "{} is not aligned to {} bytes, and there is no place for the offset", pointer,
                kTextureAlignment);
  return cudaSuccess;
}

}  // namespace

void __cudaRegisterTexture(void** handle, const textureReference* reference, const void**, const char* name, int,
                           int normalized_float, int) {
  auto* module = Process::instance().modules.find_module(handle);
  if (!module) return;
  Process::instance().modules.add_variable(module, {.name = name, .host = reference, .size = sizeof(uint64_t)});
  Process::instance().texture_references.add(reference, normalized_float != 0);
}

void __cudaRegisterSurface(void** handle, const surfaceReference* reference, const void**, const char* name, int, int) {
  auto* module = Process::instance().modules.find_module(handle);
  if (!module) return;
  Process::instance().modules.add_variable(module, {.name = name, .host = reference, .size = sizeof(uint64_t)});
  Process::instance().texture_references.add(reference, false);
}

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* format, size_t size) {
  cudaResourceDesc resource{.resType = cudaResourceTypeLinear};
  size_t skipped = 0;
  cudaError_t error = call("cudaBindTexture", [&](Process&, device::Device& gpu) -> cudaError_t {
    if (!format) return fail(cudaErrorInvalidChannelDescriptor, "no description of the texels");
    auto allocation = gpu.find_allocation(reinterpret_cast<device::Address>(pointer));
    if (!allocation) return fail(cudaErrorInvalidValue, "{} is not an address of the device", pointer);
    CUDA_TRY(align_base(pointer, offset, &resource.res.linear.devPtr, &skipped));
    // A size of UINT_MAX means all that there is.
    const size_t there = allocation->base + allocation->size - reinterpret_cast<device::Address>(pointer);
    resource.res.linear.sizeInBytes = std::min(size, there) + skipped;
    resource.res.linear.desc = *format;
    return cudaSuccess;
  });
  return error ? error : bind("cudaBindTexture", reference, resource, skipped);
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer,
                              const cudaChannelFormatDesc* format, size_t width, size_t height, size_t pitch) {
  cudaResourceDesc resource{.resType = cudaResourceTypePitch2D};
  size_t skipped = 0;
  cudaError_t error = call("cudaBindTexture2D", [&](Process&, device::Device&) -> cudaError_t {
    if (!format) return fail(cudaErrorInvalidChannelDescriptor, "no description of the texels");
    CUDA_TRY(align_base(pointer, offset, &resource.res.pitch2D.devPtr, &skipped));
    resource.res.pitch2D.desc = *format;
    resource.res.pitch2D.width = width;
    resource.res.pitch2D.height = height;
    resource.res.pitch2D.pitchInBytes = pitch;
    return cudaSuccess;
  });
  return error ? error : bind("cudaBindTexture2D", reference, resource, skipped);
}

// An array has its own format.
cudaError_t cudaBindTextureToArray(const textureReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  cudaResourceDesc resource{.resType = cudaResourceTypeArray};
  resource.res.array.array = const_cast<cudaArray_t>(array);
  return bind("cudaBindTextureToArray", reference, resource);
}

cudaError_t cudaBindTextureToMipmappedArray(const textureReference* reference, cudaMipmappedArray_const_t array,
                                            const cudaChannelFormatDesc*) {
  cudaResourceDesc resource{.resType = cudaResourceTypeMipmappedArray};
  resource.res.mipmap.mipmap = const_cast<cudaMipmappedArray_t>(array);
  return bind("cudaBindTextureToMipmappedArray", reference, resource);
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return call("cudaUnbindTexture",
              [&](Process& process, device::Device& gpu) { return rebind(process, gpu, reference, nullptr, 0); });
}

cudaError_t cudaBindSurfaceToArray(const surfaceReference* reference, cudaArray_const_t array,
                                   const cudaChannelFormatDesc*) {
  return call("cudaBindSurfaceToArray", [&](Process& process, device::Device& gpu) -> cudaError_t {
    auto found = process.arrays.find(const_cast<cudaArray_t>(array));
    if (!found) return fail(cudaErrorInvalidResourceHandle, "{} is not an array", static_cast<const void*>(array));
    const device::TextureDescriptor surface{.image = found->image, .sampler = {}, .surface = true};
    return rebind(process, gpu, reference, &surface, 0);
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return call("cudaGetTextureAlignmentOffset", [&](Process& process, device::Device&) -> cudaError_t {
    bool bound = false;
    process.texture_references.with(reference, [&](const ReferenceBinding& binding) {
      bound = binding.handle != 0;
      if (offset) *offset = binding.offset;
    });
    if (!offset) return fail(cudaErrorInvalidValue, "the pointer for the offset is null");
    return bound ? cudaSuccess : fail(cudaErrorInvalidTextureBinding, "the texture reference is bound to nothing");
  });
}

namespace {

// The symbol of a reference is its own address.
template <class Reference>
cudaError_t find_reference(const char* function, const Reference** reference, const void* symbol) {
  return call(function, [&](Process& process, device::Device&) -> cudaError_t {
    if (!reference) return fail(cudaErrorInvalidValue, "the pointer for the reference is null");
    if (!process.texture_references.with(symbol, [](const ReferenceBinding&) {}))
      return fail(cudaErrorInvalidTexture, "{} is not a texture or surface reference of the program", symbol);
    *reference = static_cast<const Reference*>(symbol);
    return cudaSuccess;
  });
}

}  // namespace

cudaError_t cudaGetTextureReference(const textureReference** reference, const void* symbol) {
  return find_reference("cudaGetTextureReference", reference, symbol);
}
cudaError_t cudaGetSurfaceReference(const surfaceReference** reference, const void* symbol) {
  return find_reference("cudaGetSurfaceReference", reference, symbol);
}
