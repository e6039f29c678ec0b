#include "exec/services/image_fault.h"

#include <fmt/format.h>

namespace warpwise::exec {

using device::Failure;
using device::ImageShape;
using ptx::ImageAccess;
using ptx::ImageGeometry;
using ptx::ImageOperation;

namespace {

std::string_view name_of(ImageGeometry geometry) {
  constexpr std::string_view kNames[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};
  return kNames[static_cast<unsigned>(geometry)];
}

std::string describe(const device::Image& image) {
  const device::ImageLevel& level = image.levels[0];
  switch (image.shape) {
    case ImageShape::Linear:
      return fmt::format("linear memory of {} texels", level.width);
    case ImageShape::D1:
      return image.layered ? fmt::format("{} layers of {} texels", image.layers, level.width)
                           : fmt::format("1-D, {} texels", level.width);
    case ImageShape::D2:
      return image.layered ? fmt::format("{} layers of {} x {} texels", image.layers, level.width, level.height)
                           : fmt::format("2-D, {} x {} texels", level.width, level.height);
    case ImageShape::D3:
      return fmt::format("3-D, {} x {} x {} texels", level.width, level.height, level.depth);
    case ImageShape::Cube:
      return fmt::format("{} cube{} of {} x {} texels", image.layers, image.layers == 1 ? "" : "s", level.width,
                         level.height);
  }
  return "";
}

}  // namespace

KernelFault no_such_image(uint64_t handle, const ImageAccess& access) {
  KernelFault fault;
  fault.failure = Failure::IllegalAddress;
  fault.what = fmt::format("{:#x} is no {} object: never created, destroyed, or its memory was freed", handle,
                           access.operation >= ImageOperation::Load ? "surface" : "texture");
  return fault;
}

KernelFault image_fault(const device::TextureDescriptor& texture, const ImageAccess& access, texture::Outcome outcome) {
  KernelFault fault;
  fault.failure = Failure::LaunchFailure;
  if (outcome == texture::Outcome::Outside)
    fault.what =
        fmt::format("access outside a surface ({}) that traps; cudaBoundaryModeZero and cudaBoundaryModeClamp do not",
                    describe(texture.image));
  else
    fault.what = fmt::format("a .{} access to an image that is {}", name_of(access.geometry), describe(texture.image));
  return fault;
}

}  // namespace warpwise::exec
