#include "device/gpu/images.h"

#include <fmt/format.h>

#include <algorithm>

namespace warpwise::device::gpu {
namespace {

int format_of(const TexelFormat& format) {  // CUarray_format
  const int width = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  switch (format.channel) {
    case Channel::Unsigned:
      return 1 + width;
    case Channel::Signed:
      return 8 + width;
    case Channel::Float:
      return format.bits == 16 ? 0x10 : 0x20;
  }
  return 0;
}

unsigned slices_of(const Image& image, const ImageLevel& level) {
  if (image.shape == ImageShape::D3) return level.depth;
  const unsigned layers = image.layered ? image.layers : 1;
  return image.shape == ImageShape::Cube ? 6 * layers : layers;
}

size_t bytes_of(const Image& image, const ImageLevel& level) {
  const size_t row = size_t{level.width} * image.format.bytes();
  return (slices_of(image, level) - 1) * level.slice + (level.height - 1) * level.pitch + row;
}

// Whether the driver samples the image where it is: rows in memory without layers and levels.
bool is_plain(const Image& image) {
  return image.shape == ImageShape::Linear ||
         (image.shape == ImageShape::D2 && !image.layered && image.level_count == 1 && image.levels[0].slice == 0);
}

ArrayDescriptor descriptor_of(const Image& image) {
  const ImageLevel& level = image.levels[0];
  ArrayDescriptor d{.width = level.width, .format = format_of(image.format), .channels = image.format.channels};
  if (image.shape != ImageShape::D1) d.height = level.height;
  if (image.shape == ImageShape::D3 || image.shape == ImageShape::Cube || image.layered)
    d.depth = slices_of(image, level);
  d.flags = ArrayDescriptor::Surface;
  if (image.layered) d.flags |= ArrayDescriptor::Layered;
  if (image.shape == ImageShape::Cube) d.flags |= ArrayDescriptor::Cubemap;
  // tld4 needs it, and only plain images in two dimensions may have it.
  if (image.shape == ImageShape::D2 && !image.layered && image.level_count == 1) d.flags |= ArrayDescriptor::Gather;
  return d;
}

SamplerDescriptor sampler_of(const TextureDescriptor& texture) {
  static_assert(int(AddressMode::Wrap) == 0 && int(AddressMode::Clamp) == 1 && int(AddressMode::Mirror) == 2 &&
                int(AddressMode::Border) == 3);
  const Sampler& s = texture.sampler;
  SamplerDescriptor d;
  for (size_t axis = 0; axis < 3; ++axis) d.address[axis] = static_cast<int>(s.address[axis]);
  d.filter = s.linear;
  d.mip_filter = s.mip_linear;
  if (texture.image.format.channel != Channel::Float && !s.normalized_float)
    d.flags |= SamplerDescriptor::ReadAsInteger;
  if (s.normalized) d.flags |= SamplerDescriptor::NormalisedCoordinates;
  if (s.srgb) d.flags |= SamplerDescriptor::Srgb;
  d.max_anisotropy = s.max_anisotropy;
  d.level_bias = s.level_bias, d.min_level = s.min_level, d.max_level = s.max_level;
  std::copy(s.border.begin(), s.border.end(), d.border);
  return d;
}

ResourceDescriptor plain_resource(const Image& image) {
  const ImageLevel& level = image.levels[0];
  ResourceDescriptor resource;
  if (image.shape == ImageShape::Linear) {
    resource.type = ResourceDescriptor::Linear;
    resource.linear = {level.base, format_of(image.format), image.format.channels,
                       size_t{level.width} * image.format.bytes()};
  } else {
    resource.type = ResourceDescriptor::Pitch2D;
    resource.pitched = {level.base, format_of(image.format), image.format.channels, level.width, level.height,
                        level.pitch};
  }
  return resource;
}

}  // namespace

Status Images::create(const TextureDescriptor& texture, uint64_t* handle) {
  const Driver& driver = context_.driver();
  WARPWISE_NEED(driver, create_texture, "cuTexObjectCreate");
  WARPWISE_NEED(driver, create_surface, "cuSurfObjectCreate");
  std::lock_guard lock(mutex_);
  ResourceDescriptor resource;
  Mirror* mirror = nullptr;
  if (is_plain(texture.image) && !texture.surface) {
    resource = plain_resource(texture.image);
  } else {
    if (Status status = find_mirror(texture.image, &mirror); !status.ok()) return status;
    resource.type = mirror->mipmapped ? ResourceDescriptor::MipmappedArray : ResourceDescriptor::Array;
    if (mirror->mipmapped)
      resource.mipmapped = mirror->mipmapped;
    else
      resource.array = mirror->array;
  }
  unsigned long long made = 0;
  Status status;
  if (texture.surface) {
    status = context_.check(driver.create_surface(&made, &resource), "making a surface");
  } else {
    const SamplerDescriptor sampler = sampler_of(texture);
    status = context_.check(driver.create_texture(&made, &resource, &sampler, nullptr), "making a texture");
  }
  if (!status.ok()) {
    if (mirror && mirror->users == 0) {
      (void)destroy_mirror(*mirror);
      mirrors_.erase(texture.image.levels[0].base);
    }
    return status;
  }
  if (mirror) ++mirror->users, mirror->surfaces += texture.surface;
  objects_[made] = {texture.surface, mirror ? texture.image.levels[0].base : 0};
  *handle = made;
  return {};
}

Status Images::destroy(uint64_t handle) {
  std::lock_guard lock(mutex_);
  auto found = objects_.find(handle);
  if (found == objects_.end()) return {Failure::InvalidValue, fmt::format("{:#x} is no texture", handle)};
  const Object object = found->second;
  objects_.erase(found);
  const Driver& driver = context_.driver();
  Status status = context_.check(object.surface ? driver.destroy_surface(handle) : driver.destroy_texture(handle),
                                 "destroying a texture");
  if (!object.mirror) return status;
  Mirror& mirror = mirrors_.at(object.mirror);
  mirror.surfaces -= object.surface;
  if (--mirror.users > 0) return status;
  // What kernels have written there stays in the image's memory.
  if (status.ok() && mirror.array_newer) status = settle(nullptr, mirror, false);
  Status destroyed = destroy_mirror(mirror);
  mirrors_.erase(object.mirror);
  return status.ok() ? destroyed : status;
}

void Images::clear() {
  std::lock_guard lock(mutex_);
  const Driver& driver = context_.driver();
  for (const auto& [handle, object] : objects_)
    (void)(object.surface ? driver.destroy_surface(handle) : driver.destroy_texture(handle));
  for (auto& [base, mirror] : mirrors_) (void)destroy_mirror(mirror);
  objects_.clear(), mirrors_.clear();
}

Status Images::find_mirror(const Image& image, Mirror** out) {
  const Address base = image.levels[0].base;
  if (auto found = mirrors_.find(base); found != mirrors_.end()) {
    const Image& known = found->second.image;
    const bool same = known.shape == image.shape && known.layered == image.layered && known.layers == image.layers &&
                      known.format == image.format && known.level_count == image.level_count &&
                      known.levels[0].width == image.levels[0].width &&
                      known.levels[0].height == image.levels[0].height &&
                      known.levels[0].depth == image.levels[0].depth;
    if (!same)
      return {Failure::NotSupported,
              "R0604: on a real GPU one image cannot be used in two shapes at a time (levels of a mipmapped array "
              "that are also bound one by one)"};
    *out = &found->second;
    return {};
  }
  Mirror made;
  made.image = image;
  if (Status status = make_mirror(image, &made); !status.ok()) return status;
  *out = &(mirrors_[base] = std::move(made));
  return {};
}

Status Images::make_mirror(const Image& image, Mirror* mirror) const {
  const Driver& driver = context_.driver();
  WARPWISE_NEED(driver, create_array, "cuArray3DCreate_v2");
  WARPWISE_NEED(driver, create_mipmapped, "cuMipmappedArrayCreate");
  const ArrayDescriptor descriptor = descriptor_of(image);
  const std::string what =
      fmt::format("making an array of {} x {} x {} texels", descriptor.width, descriptor.height, descriptor.depth);
  if (image.level_count == 1) return context_.check(driver.create_array(&mirror->array, &descriptor), what);
  return context_.check(driver.create_mipmapped(&mirror->mipmapped, &descriptor, image.level_count), what);
}

Status Images::destroy_mirror(Mirror& mirror) const {
  const Driver& driver = context_.driver();
  return context_.check(
      mirror.mipmapped ? driver.destroy_mipmapped(mirror.mipmapped) : driver.destroy_array(mirror.array),
      "destroying an array");
}

// Copies all levels, slice by slice: their distance in memory is not always a whole number of rows.
Status Images::move(CUstream stream, Mirror& mirror, bool to_array) const {
  const Driver& driver = context_.driver();
  for (uint32_t n = 0; n < mirror.image.level_count; ++n) {
    const ImageLevel& level = mirror.image.levels[n];
    CUarray array = mirror.array;
    if (mirror.mipmapped)
      if (Status status = context_.check(driver.get_level(&array, mirror.mipmapped, n), "taking a level of an array");
          !status.ok())
        return status;
    for (unsigned z = 0; z < slices_of(mirror.image, level); ++z) {
      const Memcpy3D::Side in_memory{
          .type = kDeviceMemory, .device = level.base + z * level.slice, .pitch = level.pitch, .height = level.height};
      const Memcpy3D::Side in_array{.z = z, .type = kArrayMemory, .array = array};
      Memcpy3D copy;
      copy.src = to_array ? in_memory : in_array;
      copy.dst = to_array ? in_array : in_memory;
      copy.width_bytes = size_t{level.width} * mirror.image.format.bytes();
      copy.height = level.height;
      copy.depth = 1;
      if (Status status = context_.check(driver.copy_3d(&copy, stream), "copying an image"); !status.ok())
        return status;
    }
  }
  return {};
}

// Waits for the copy: a later command of another stream may use what it has brought.
Status Images::settle(CUstream stream, Mirror& mirror, bool to_array) const {
  if (Status status = move(stream, mirror, to_array); !status.ok()) return status;
  if (Status status = context_.check(context_.driver().synchronise_stream(stream), "waiting for an image");
      !status.ok())
    return status;
  (to_array ? mirror.memory_newer : mirror.array_newer) = false;
  return {};
}

template <class F>
Status Images::for_each_in(Address address, size_t bytes, F&& f) {
  std::lock_guard lock(mutex_);
  for (auto& [base, mirror] : mirrors_)
    for (uint32_t n = 0; n < mirror.image.level_count; ++n) {
      const ImageLevel& level = mirror.image.levels[n];
      if (address >= level.base + bytes_of(mirror.image, level) || level.base >= address + bytes) continue;
      if (Status status = f(mirror); !status.ok()) return status;
      break;
    }
  return {};
}

Status Images::before_read(CUstream stream, Address address, size_t bytes) {
  return for_each_in(address, bytes,
                     [&](Mirror& mirror) { return mirror.array_newer ? settle(stream, mirror, false) : Status{}; });
}

// The copy may leave a part of the image as it is: that part has to be there first.
Status Images::before_write(CUstream stream, Address address, size_t bytes) {
  return for_each_in(address, bytes, [&](Mirror& mirror) {
    if (mirror.array_newer)
      if (Status status = settle(stream, mirror, false); !status.ok()) return status;
    mirror.memory_newer = true;
    return Status{};
  });
}

Status Images::before_launch(CUstream stream) {
  std::lock_guard lock(mutex_);
  for (auto& [base, mirror] : mirrors_)
    if (mirror.memory_newer)
      if (Status status = settle(stream, mirror, true); !status.ok()) return status;
  return {};
}

void Images::after_launch() {
  std::lock_guard lock(mutex_);
  for (auto& [base, mirror] : mirrors_)
    if (mirror.surfaces) mirror.array_newer = true;
}

}  // namespace warpwise::device::gpu
