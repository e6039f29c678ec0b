// CUDA arrays: device memory whose layout this library chooses, so that textures and surfaces read it as images.
//
// An array lies in one allocation, level after level, with rows at a pitch. A handle is the address of its object; it
// is looked up before it is dereferenced (handles.h). An array that is a level of a mipmapped array shares that array's
// memory and lifetime.
#pragma once

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "cuda/runtime/error.h"
#include "device/device.h"

// What the program's handles point to.
struct cudaArray {
  warpwise::device::Image image;  // one level
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // in texels, as requested: 0 for a missing dimension
  unsigned flags = 0;
  warpwise::device::Address memory = 0;  // the allocation; 0 for a level of a mipmapped array
};
struct cudaMipmappedArray {
  warpwise::device::Image image;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  warpwise::device::Address memory = 0;
  std::vector<cudaArray_t> levels;  // handles that have been returned; null for the others
};

namespace warpwise::cuda {

// A format that textures can read: cudaErrorInvalidChannelDescriptor for others, cudaErrorNotSupported for formats that
// CUDA has and this library has not (block-compressed and planar ones).
cudaError_t texel_format_of(const cudaChannelFormatDesc& desc, device::TexelFormat* format);

// The image of an array with this extent and these flags, without memory, and the number of bytes it takes.
// cudaErrorInvalidValue for combinations that CUDA does not have (the table of cudaMalloc3DArray).
cudaError_t lay_out_array(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned levels, unsigned flags,
                          device::Image* image, size_t* bytes);

class Arrays {
 public:
  cudaArray_t add(cudaArray array);
  cudaMipmappedArray_t add(cudaMipmappedArray array);
  // Null when the handle is not an array; the caller then returns cudaErrorInvalidResourceHandle.
  std::shared_ptr<const cudaArray> find(cudaArray_const_t handle) const;
  std::shared_ptr<const cudaMipmappedArray> find(cudaMipmappedArray_const_t handle) const;
  // The array that is level `number`: always the same handle. Null when there is no such level.
  cudaArray_t level(cudaMipmappedArray_const_t handle, unsigned number);
  // Remove an array from the table and return it. A level of a mipmapped array cannot be removed by itself.
  std::shared_ptr<const cudaArray> remove(cudaArray_t handle);
  std::shared_ptr<const cudaMipmappedArray> remove(cudaMipmappedArray_t handle);
  void clear();

 private:
  mutable std::mutex mutex_;
  std::unordered_map<const cudaArray*, std::shared_ptr<cudaArray>> arrays_;
  std::unordered_map<const cudaMipmappedArray*, std::shared_ptr<cudaMipmappedArray>> mipmapped_;
};

}  // namespace warpwise::cuda
