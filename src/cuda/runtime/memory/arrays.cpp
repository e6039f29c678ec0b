#include "cuda/runtime/memory/arrays.h"

#include <algorithm>

#include "base/round_up.h"
#include "cuda/runtime/texture/texture_types.h"

namespace warpwise::cuda {

using device::Image;
using device::ImageLevel;
using device::ImageShape;

namespace {

constexpr size_t kPitchAlignment = 64, kLevelAlignment = 512;

uint32_t at_least_one(size_t n) { return static_cast<uint32_t>(std::max<size_t>(n, 1)); }

// Which dimensions each flag allows: the table of cudaMalloc3DArray.
cudaError_t shape_of(const cudaExtent& e, unsigned flags, Image* image) {
  const bool layered = (flags & cudaArrayLayered) != 0, cube = (flags & cudaArrayCubemap) != 0;
  constexpr unsigned kSparse = 0x40, kDeferredMapping = 0x80;
  constexpr unsigned kMade = cudaArrayLayered | cudaArraySurfaceLoadStore | cudaArrayCubemap | cudaArrayTextureGather |
                             cudaArrayColorAttachment;
  if (flags & ~(kMade | kSparse | kDeferredMapping))
    return fail(cudaErrorInvalidValue, "array flags {:#x} are not defined", flags);
  if (flags & ~kMade)
    return fail(cudaErrorNotSupported, "array flags {:#x}: sparse and deferred arrays are not supported yet", flags);
  if (e.width == 0) return fail(cudaErrorInvalidValue, "an array of width 0");
  if (cube) {
    if (e.width != e.height)
      return fail(cudaErrorInvalidValue, "the faces of a cube are squares, not {} x {}", e.width, e.height);
    if (layered ? e.depth == 0 || e.depth % 6 != 0 : e.depth != 6)
      return fail(cudaErrorInvalidValue, "a cube has 6 faces{}, the depth is {}", layered ? " a layer" : "", e.depth);
    image->shape = ImageShape::Cube;
    image->layers = static_cast<uint32_t>(e.depth / 6);
  } else if (layered) {
    if (e.depth == 0) return fail(cudaErrorInvalidValue, "an array of 0 layers");
    image->shape = e.height == 0 ? ImageShape::D1 : ImageShape::D2;
    image->layers = static_cast<uint32_t>(e.depth);
  } else if (e.depth != 0) {
    if (e.height == 0) return fail(cudaErrorInvalidValue, "a depth without a height");
    image->shape = ImageShape::D3;
  } else {
    image->shape = e.height == 0 ? ImageShape::D1 : ImageShape::D2;
  }
  if ((flags & cudaArrayTextureGather) && image->shape != ImageShape::D2)
    return fail(cudaErrorInvalidValue, "cudaArrayTextureGather requires a 2-D array");
  image->layered = layered;
  return cudaSuccess;
}

// cudaDeviceProp::maxTexture...: the attributes' values.
cudaError_t check_size(const cudaExtent& e, const Image& image, unsigned levels) {
  struct Limits {
    size_t width, height, depth;
  };
  Limits most{131072, 65536, 16384};
  if (image.layered || image.shape == ImageShape::Cube)
    most = {32768, 32768, image.shape == ImageShape::Cube ? size_t{2046} : size_t{2048}};
  else if (image.shape == ImageShape::D3)
    most = {16384, 16384, 16384};
  else if (levels > 1)
    most = {32768, 32768, 1};
  if (e.width <= most.width && e.height <= most.height && e.depth <= most.depth) return cudaSuccess;
  return fail(cudaErrorInvalidValue, "{} x {} x {} is more than {} x {} x {}, the most for this kind of array", e.width,
              e.height, e.depth, most.width, most.height, most.depth);
}

}  // namespace

cudaError_t texel_format_of(const cudaChannelFormatDesc& desc, device::TexelFormat* format) {
  switch (desc.f) {
    case cudaChannelFormatKindSigned:
      format->channel = device::Channel::Signed;
      break;
    case cudaChannelFormatKindUnsigned:
      format->channel = device::Channel::Unsigned;
      break;
    case cudaChannelFormatKindFloat:
      format->channel = device::Channel::Float;
      break;
    case cudaChannelFormatKindNone:
      return fail(cudaErrorInvalidChannelDescriptor, "a channel format of kind None");
    default:
      return fail(cudaErrorNotSupported,
                  "channel format kind {}: of the formats signed, unsigned and float are supported",
                  static_cast<unsigned>(desc.f));
  }
  const int bits[] = {desc.x, desc.y, desc.z, desc.w};
  unsigned channels = 0;
  while (channels < 4 && bits[channels] != 0) ++channels;
  const bool is_float = format->channel == device::Channel::Float;
  bool good = channels == 1 || channels == 2 || channels == 4;
  for (unsigned k = 0; k < 4; ++k) good = good && bits[k] == (k < channels ? desc.x : 0);
  good = good && ((desc.x == 8 && !is_float) || desc.x == 16 || desc.x == 32);
  if (!good)
    return fail(cudaErrorInvalidChannelDescriptor,
                "channels of {} {} {} {} bits: there are 1, 2 or 4 of 8 (integers), 16 or 32", desc.x, desc.y, desc.z,
                desc.w);
  format->bits = static_cast<uint8_t>(desc.x);
  format->channels = static_cast<uint8_t>(channels);
  return cudaSuccess;
}

cudaError_t lay_out_array(const cudaChannelFormatDesc& desc, const cudaExtent& extent, unsigned levels, unsigned flags,
                          Image* image, size_t* bytes) {
  *image = {};
  CUDA_TRY(texel_format_of(desc, &image->format));
  CUDA_TRY(shape_of(extent, flags, image));
  CUDA_TRY(check_size(extent, *image, levels));
  const size_t longest = std::max({extent.width, extent.height, image->shape == ImageShape::D3 ? extent.depth : 0});
  unsigned most = 1;
  while (most < device::kMaxLevels && longest >> most != 0) ++most;
  image->level_count = std::min(std::max(levels, 1u), most);  // more are cut off, as CUDA does
  size_t at = 0;
  for (unsigned n = 0; n < image->level_count; ++n) {
    ImageLevel& level = image->levels[n];
    level.width = at_least_one(extent.width >> n);
    level.height = at_least_one(extent.height >> n);
    level.depth = image->shape == ImageShape::D3 ? at_least_one(extent.depth >> n) : 1;
    level.pitch = round_up(size_t{level.width} * image->format.bytes(), kPitchAlignment);
    level.slice = level.pitch * level.height;
    level.base = at;  // from the start of the memory
    at += round_up(level.slice * level.depth * image->layers * (image->shape == ImageShape::Cube ? 6 : 1),
                   kLevelAlignment);
  }
  *bytes = at;
  return cudaSuccess;
}

cudaArray_t Arrays::add(cudaArray array) {
  auto object = std::make_shared<cudaArray>(std::move(array));
  std::lock_guard lock(mutex_);
  arrays_.emplace(object.get(), object);
  return object.get();
}

cudaMipmappedArray_t Arrays::add(cudaMipmappedArray array) {
  auto object = std::make_shared<cudaMipmappedArray>(std::move(array));
  std::lock_guard lock(mutex_);
  mipmapped_.emplace(object.get(), object);
  return object.get();
}

std::shared_ptr<const cudaArray> Arrays::find(cudaArray_const_t handle) const {
  std::lock_guard lock(mutex_);
  auto found = arrays_.find(handle);
  return found == arrays_.end() ? nullptr : found->second;
}

std::shared_ptr<const cudaMipmappedArray> Arrays::find(cudaMipmappedArray_const_t handle) const {
  std::lock_guard lock(mutex_);
  auto found = mipmapped_.find(handle);
  return found == mipmapped_.end() ? nullptr : found->second;
}

cudaArray_t Arrays::level(cudaMipmappedArray_const_t handle, unsigned number) {
  std::lock_guard lock(mutex_);
  auto found = mipmapped_.find(handle);
  if (found == mipmapped_.end() || number >= found->second->image.level_count) return nullptr;
  cudaMipmappedArray& whole = *found->second;
  whole.levels.resize(whole.image.level_count);
  if (whole.levels[number]) return whole.levels[number];
  auto level = std::make_shared<cudaArray>();
  level->image = whole.image;
  level->image.level_count = 1;
  level->image.levels[0] = whole.image.levels[number];
  level->format = whole.format;
  auto smaller = [&](size_t n) { return n == 0 ? 0 : std::max<size_t>(n >> number, 1); };
  const bool volume = whole.image.shape == ImageShape::D3;
  level->extent = {smaller(whole.extent.width), smaller(whole.extent.height),
                   volume ? smaller(whole.extent.depth) : whole.extent.depth};
  level->flags = whole.flags;
  arrays_.emplace(level.get(), level);
  return whole.levels[number] = level.get();
}

std::shared_ptr<const cudaArray> Arrays::remove(cudaArray_t handle) {
  std::lock_guard lock(mutex_);
  auto found = arrays_.find(handle);
  if (found == arrays_.end() || found->second->memory == 0) return nullptr;
  auto object = found->second;
  arrays_.erase(found);
  return object;
}

std::shared_ptr<const cudaMipmappedArray> Arrays::remove(cudaMipmappedArray_t handle) {
  std::lock_guard lock(mutex_);
  auto found = mipmapped_.find(handle);
  if (found == mipmapped_.end()) return nullptr;
  auto object = found->second;
  for (cudaArray_t level : object->levels) arrays_.erase(level);
  mipmapped_.erase(found);
  return object;
}

void Arrays::clear() {
  std::lock_guard lock(mutex_);
  arrays_.clear();
  mipmapped_.clear();
}

}  // namespace warpwise::cuda
