// CUDA arrays: making, querying and freeing them. Copies are in array_copy.cpp.
#include "cuda/runtime/api.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/memory/arrays.h"

using namespace warpwise;
using namespace warpwise::cuda;

namespace {

// Allocates memory for an image that has been laid out, and sets the addresses of its levels.
cudaError_t allocate_image(device::Device& gpu, size_t bytes, device::Image* image, device::Address* memory) {
  CUDA_TRY(fail(gpu.allocate(bytes, device::MemoryKind::Device, memory)));
  for (uint32_t n = 0; n < image->level_count; ++n) image->levels[n].base += *memory;
  Process::instance().checks.allocated(*memory, bytes);
  return cudaSuccess;
}

cudaError_t make_array(Process& process, device::Device& gpu, cudaArray_t* array, const cudaChannelFormatDesc* desc,
                       cudaExtent extent, unsigned flags) {
  if (!array || !desc)
    return fail(cudaErrorInvalidValue, "the pointer for the array or the description of its elements is null");
  cudaArray made{.image = {}, .format = *desc, .extent = extent, .flags = flags};
  size_t bytes = 0;
  CUDA_TRY(lay_out_array(*desc, extent, 1, flags, &made.image, &bytes));
  CUDA_TRY(allocate_image(gpu, bytes, &made.image, &made.memory));
  *array = process.arrays.add(std::move(made));
  return cudaSuccess;
}

cudaError_t no_array(const void* handle) { return fail(cudaErrorInvalidResourceHandle, "{} is not an array", handle); }

// A plain array or a mipmapped one.
template <class Handle>
void note_free_request(Handle array) {
  Process& process = Process::instance();
  if (auto found = process.arrays.find(array))
    process.checks.free_requested(reinterpret_cast<const void*>(found->memory));
}

}  // namespace

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, size_t width, size_t height,
                            unsigned flags) {
  return call("cudaMallocArray", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (flags & (cudaArrayLayered | cudaArrayCubemap))
      return fail(cudaErrorInvalidValue, "layered and cubemap arrays are made by cudaMalloc3DArray");
    return make_array(process, gpu, array, desc, {width, height, 0}, flags);
  });
}

cudaError_t cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                              unsigned flags) {
  return call("cudaMalloc3DArray", [&](Process& process, device::Device& gpu) {
    return make_array(process, gpu, array, desc, extent, flags);
  });
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t* array, const cudaChannelFormatDesc* desc, cudaExtent extent,
                                     unsigned levels, unsigned flags) {
  return call("cudaMallocMipmappedArray", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!array || !desc)
      return fail(cudaErrorInvalidValue, "the pointer for the array or the description of its elements is null");
    cudaMipmappedArray made{.image = {}, .format = *desc, .extent = extent, .flags = flags, .levels = {}};
    size_t bytes = 0;
    CUDA_TRY(lay_out_array(*desc, extent, levels, flags, &made.image, &bytes));
    CUDA_TRY(allocate_image(gpu, bytes, &made.image, &made.memory));
    *array = process.arrays.add(std::move(made));
    return cudaSuccess;
  });
}

cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t* level, cudaMipmappedArray_const_t array, unsigned number) {
  return call("cudaGetMipmappedArrayLevel", [&](Process& process, device::Device&) -> cudaError_t {
    if (!level) return fail(cudaErrorInvalidValue, "the pointer for the level is null");
    auto whole = process.arrays.find(array);
    if (!whole) return no_array(array);
    cudaArray_t found = process.arrays.level(array, number);
    if (!found) return fail(cudaErrorInvalidValue, "level {} of an array with {}", number, whole->image.level_count);
    *level = found;
    return cudaSuccess;
  });
}

cudaError_t cudaFreeArray(cudaArray_t array) {
  note_free_request(array);
  return call("cudaFreeArray", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!array) return cudaSuccess;
    auto found = process.arrays.find(array);
    if (found && found->memory == 0) return cudaSuccess;  // a level is freed with its mipmapped array
    auto taken = process.arrays.remove(array);
    if (!taken) return no_array(array);
    process.checks.freed(taken->memory);
    return fail(gpu.free(taken->memory));
  });
}

cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t array) {
  note_free_request(array);
  return call("cudaFreeMipmappedArray", [&](Process& process, device::Device& gpu) -> cudaError_t {
    if (!array) return cudaSuccess;
    auto taken = process.arrays.remove(array);
    if (!taken) return no_array(array);
    process.checks.freed(taken->memory);
    return fail(gpu.free(taken->memory));
  });
}

// Each output may be null.
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* desc, cudaExtent* extent, unsigned* flags, cudaArray_t array) {
  return call("cudaArrayGetInfo", [&](Process& process, device::Device&) -> cudaError_t {
    auto found = process.arrays.find(array);
    if (!found) return no_array(array);
    if (desc) *desc = found->format;
    if (extent) *extent = found->extent;
    if (flags) *flags = found->flags;
    return cudaSuccess;
  });
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* desc, cudaArray_const_t array) {
  return call("cudaGetChannelDesc", [&](Process& process, device::Device&) -> cudaError_t {
    if (!desc) return fail(cudaErrorInvalidValue, "the pointer for the description is null");
    auto found = process.arrays.find(array);
    if (!found) return no_array(array);
    *desc = found->format;
    return cudaSuccess;
  });
}
