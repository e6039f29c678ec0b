// What kernels read besides memory: textures, surfaces and tensor maps of a GpuDevice.
#include <fmt/format.h>

#include <cstring>

#include "device/gpu/gpu_device.h"
#include "device/tensor_map.h"

namespace warpwise::device::gpu {

Status GpuDevice::create_texture(const TextureDescriptor& texture, uint64_t* handle) {
  if (Status status = context_.enter(); !status.ok()) return status;
  return images_.create(texture, handle);
}

Status GpuDevice::destroy_texture(uint64_t handle) {
  if (Status status = context_.enter(); !status.ok()) return status;
  if (Status status = wait_all(); !status.ok()) return status;
  return images_.destroy(handle);
}

// Tensor maps arrive in our layout, with all checks done, and leave in the hardware's, which only the driver knows.
Status GpuDevice::seal_tensor_map(void* tensor_map) {
  WARPWISE_NEED(driver(), encode_tiled, "cuTensorMapEncodeTiled");
  WARPWISE_NEED(driver(), encode_im2col, "cuTensorMapEncodeIm2col");
  if (Status status = context_.enter(); !status.ok()) return status;
  TensorMap map;
  std::memcpy(&map, tensor_map, sizeof map);
  if (map.mark != TensorMap::kMark) return {Failure::InvalidValue, "the tensor map has not been encoded"};
  uint64_t sizes[kMaxTensorRank] = {};
  uint32_t box[kMaxTensorRank] = {}, steps[kMaxTensorRank] = {};
  int lower[3] = {}, upper[3] = {};
  for (unsigned k = 0; k < map.rank; ++k) {
    sizes[k] = map.size(k);
    box[k] = map.box[k];
    steps[k] = map.element_strides[k];
  }
  for (unsigned k = 0; k < 3; ++k) lower[k] = map.lower[k], upper[k] = map.upper[k];
  const auto type = static_cast<int>(map.type);
  const auto interleave = static_cast<int>(map.interleave);
  const int swizzle = static_cast<int>(map.swizzle) + static_cast<int>(map.atom);  // CUtensorMapSwizzle has both
  const int fill = static_cast<int>(map.fill);
  alignas(64) std::byte sealed[kTensorMapBytes] = {};
  CUresult result = kSuccess;
  if (is_wide(map.mode)) {
    WARPWISE_NEED(driver(), encode_im2col_wide, "cuTensorMapEncodeIm2colWide");
    result = driver().encode_im2col_wide(sealed, type, map.rank, map.address, sizes, map.strides, lower[0], upper[0],
                                         map.channels, map.pixels, steps, interleave,
                                         map.mode == TensorMode::Im2colW128, swizzle, map.promotion, fill);
  } else if (is_im2col(map.mode)) {
    result = driver().encode_im2col(sealed, type, map.rank, map.address, sizes, map.strides, lower, upper, map.channels,
                                    map.pixels, steps, interleave, swizzle, map.promotion, fill);
  } else {
    result = driver().encode_tiled(sealed, type, map.rank, map.address, sizes, map.strides, box, steps, interleave,
                                   swizzle, map.promotion, fill);
  }
  if (Status status = context_.check(result, "encoding a tensor map"); !status.ok()) return status;
  std::memcpy(tensor_map, sealed, sizeof sealed);
  return {};
}

Status GpuDevice::readdress_tensor_map(void* tensor_map, Address address) {
  WARPWISE_NEED(driver(), replace_address, "cuTensorMapReplaceAddress");
  if (!tensor_map) return {Failure::InvalidValue, "the tensor map is null"};
  if (Status status = context_.enter(); !status.ok()) return status;
  alignas(64) std::byte sealed[kTensorMapBytes];
  std::memcpy(sealed, tensor_map, sizeof sealed);
  if (Status status = context_.check(driver().replace_address(sealed, reinterpret_cast<void*>(address)),
                                     "changing the address of a tensor map");
      !status.ok())
    return status;
  std::memcpy(tensor_map, sealed, sizeof sealed);
  return {};
}

}  // namespace warpwise::device::gpu
