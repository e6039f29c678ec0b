#include "device/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace warpwise::device {

namespace {

struct TypeRow {
  uint8_t bytes;
  bool is_float;
};
// In the order of TensorType.
constexpr TypeRow kTypes[] = {{1, false}, {2, false}, {4, false}, {4, false}, {8, false}, {8, false},
                              {2, true},  {4, true},  {8, true},  {2, true},  {4, true},  {4, true},
                              {4, true},  {0, false}, {0, false}, {0, false}};

constexpr uint64_t kMaxSize = uint64_t{1} << 32, kMaxStride = uint64_t{1} << 40;
constexpr unsigned kMaxBox = 256, kMaxElementStride = 8, kMaxPixels = 1024;

template <class... Arguments>
Status invalid(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  return {Failure::InvalidValue, "a tensor map: " + fmt::format(text, std::forward<Arguments>(arguments)...)};
}

// CUtensorMapSwizzle combines the span and, after the widest span, the atomicity.
TensorSwizzle swizzle_of(int swizzle) {
  return static_cast<TensorSwizzle>(std::min(swizzle, static_cast<int>(TensorSwizzle::Bytes128)));
}
SwizzleAtom atom_of(int swizzle) {
  return static_cast<SwizzleAtom>(std::max(swizzle - static_cast<int>(TensorSwizzle::Bytes128), 0));
}

// The rules that both forms share; `inner` is the number of elements that lie side by side in shared memory.
Status check_common(const void* tensor_map, const TensorRequest& r, uint32_t inner) {
  if (tensor_map == nullptr || reinterpret_cast<uintptr_t>(tensor_map) % 64 != 0)
    return invalid("its own address must be aligned to 64 bytes");
  if (r.type < 0 || r.type > static_cast<int>(TensorType::U6x16Align16))
    return invalid("there is no data type {}", r.type);
  if (r.interleave < 0 || r.interleave > 2) return invalid("there is no interleave {}", r.interleave);
  if (r.swizzle < 0 || r.swizzle >= kSwizzles) return invalid("there is no swizzle {}", r.swizzle);
  if (r.promotion < 0 || r.promotion > 3) return invalid("there is no L2 promotion {}", r.promotion);
  if (r.fill < 0 || r.fill > 1) return invalid("there is no out-of-bounds fill {}", r.fill);
  const auto type = static_cast<TensorType>(r.type);
  const auto interleave = static_cast<TensorInterleave>(r.interleave);
  const TensorSwizzle swizzle = swizzle_of(r.swizzle);
  if (r.rank == 0 || r.rank > kMaxTensorRank)
    return invalid("a rank of {}: 1 to {} are possible", r.rank, kMaxTensorRank);
  if (interleave != TensorInterleave::None && r.rank < 3)
    return invalid("interleaved layouts need a rank of at least 3");
  // The driver requires an address even for zero strides.
  if (!r.sizes || !r.element_strides || !r.strides) return invalid("sizes or strides are missing");
  const unsigned align = interleave == TensorInterleave::Bytes32 || bytes_of(type) == 0 ? 32 : 16;
  if (r.address % align != 0) return invalid("globalAddress {:#x} is not aligned to {} bytes", r.address, align);
  for (uint32_t k = 0; k < r.rank; ++k) {
    if (r.sizes[k] == 0 || r.sizes[k] > kMaxSize)
      return invalid("globalDim[{}] is {}: 1 to 2^32 are possible", k, r.sizes[k]);
    if (r.element_strides[k] == 0 || r.element_strides[k] > kMaxElementStride)
      return invalid("elementStrides[{}] is {}: 1 to {} are possible", k, r.element_strides[k], kMaxElementStride);
  }
  for (uint32_t k = 0; k + 1 < r.rank; ++k)
    if (r.strides[k] % align != 0 || r.strides[k] >= kMaxStride)
      return invalid("globalStrides[{}] is {}: a multiple of {} below 2^40 is required", k, r.strides[k], align);
  if (interleave == TensorInterleave::Bytes32 && swizzle != TensorSwizzle::Bytes32)
    return invalid("an interleave of 32 bytes requires a swizzle of 32 bytes");
  const uint64_t inner_bytes = uint64_t{inner} * bytes_of(type);
  if (interleave == TensorInterleave::None && bytes_of(type) != 0) {
    if (inner_bytes % 16 != 0) return invalid("the box is {} bytes wide: a multiple of 16 is required", inner_bytes);
    if (swizzle != TensorSwizzle::None && inner_bytes > span_of(swizzle))
      return invalid("the box is {} bytes wide: more than the {} of the swizzle", inner_bytes, span_of(swizzle));
  }
  if (r.fill != 0 && !is_float(type))
    return invalid("elements that are no floating-point numbers cannot be filled with NaN");
  return Status::success();
}

// What the virtual GPU does not support.
Status check_supported(const TensorRequest& r) {
  const char* what = r.interleave != 0                                ? "interleaved layouts are"
                     : bytes_of(static_cast<TensorType>(r.type)) == 0 ? "packed 4- and 6-bit elements are"
                                                                      : nullptr;
  if (!what) return Status::success();
  return {Failure::NotSupported, fmt::format("a tensor map: {} not executed yet", what)};
}

TensorMap common(const TensorRequest& r) {
  TensorMap map;
  map.type = static_cast<TensorType>(r.type);
  map.rank = static_cast<uint8_t>(r.rank);
  map.interleave = static_cast<TensorInterleave>(r.interleave);
  map.swizzle = swizzle_of(r.swizzle);
  map.atom = atom_of(r.swizzle);
  map.fill = static_cast<TensorFill>(r.fill);
  map.promotion = static_cast<uint8_t>(r.promotion);
  map.address = r.address;
  for (uint32_t k = 0; k < r.rank; ++k) {
    map.last[k] = static_cast<uint32_t>(r.sizes[k] - 1);
    map.element_strides[k] = static_cast<uint8_t>(k == 0 ? 1 : r.element_strides[k]);  // the first one is ignored
    if (k > 0) map.strides[k - 1] = r.strides[k - 1];
  }
  return map;
}

void write(void* to, const TensorMap& map) {
  std::memset(to, 0, kTensorMapBytes);
  std::memcpy(to, &map, sizeof map);
}

}  // namespace

unsigned bytes_of(TensorType type) { return kTypes[static_cast<unsigned>(type)].bytes; }
bool is_float(TensorType type) { return kTypes[static_cast<unsigned>(type)].is_float; }
bool wants_sm_100(const TensorRequest& request) {
  return request.swizzle > static_cast<int>(TensorSwizzle::Bytes128) ||
         request.type >= static_cast<int>(TensorType::U4x16Align8);
}
unsigned span_of(TensorSwizzle swizzle) {
  return swizzle == TensorSwizzle::None ? 0 : 16u << static_cast<unsigned>(swizzle);
}

Status encode_tiled(void* tensor_map, const TensorRequest& request, const uint32_t* box) {
  if (!box) return invalid("boxDim is missing");
  if (Status status = check_common(tensor_map, request, box[0]); !status.ok()) return status;
  for (uint32_t k = 0; k < request.rank; ++k)
    if (box[k] == 0 || box[k] > kMaxBox) return invalid("boxDim[{}] is {}: 1 to {} are possible", k, box[k], kMaxBox);
  if (Status status = check_supported(request); !status.ok()) return status;
  TensorMap map = common(request);
  for (uint32_t k = 0; k < request.rank; ++k) map.box[k] = static_cast<uint16_t>(box[k]);
  write(tensor_map, map);
  return Status::success();
}

namespace {

// The rules that all im2col forms share: the box of base pixels has corners along `dimensions` of W, H and D, each
// within `reach`.
Status encode_pixels(void* tensor_map, const TensorRequest& request, TensorMode mode, const int* lower,
                     const int* upper, uint32_t dimensions, int reach, uint32_t channels, uint32_t pixels) {
  if (channels == 0 || channels > kMaxBox)
    return invalid("channelsPerPixel is {}: 1 to {} are possible", channels, kMaxBox);
  if (pixels == 0 || pixels > kMaxPixels)
    return invalid("pixelsPerColumn is {}: 1 to {} are possible", pixels, kMaxPixels);
  if (Status status = check_common(tensor_map, request, channels); !status.ok()) return status;
  for (uint32_t k = 0; k < dimensions; ++k) {
    for (int corner : {lower[k], upper[k]})
      if (corner < -reach || corner >= reach)
        return invalid("a corner of {}: {} to {} are possible", corner, -reach, reach - 1);
    if (static_cast<int64_t>(request.sizes[k + 1]) + upper[k] <= lower[k]) return invalid("the pixel box is empty");
  }
  if (Status status = check_supported(request); !status.ok()) return status;
  TensorMap map = common(request);
  map.mode = mode;
  map.channels = static_cast<uint16_t>(channels);
  map.pixels = static_cast<uint16_t>(pixels);
  for (uint32_t k = 0; k < dimensions; ++k) {
    map.lower[k] = static_cast<int16_t>(lower[k]);
    map.upper[k] = static_cast<int16_t>(upper[k]);
  }
  write(tensor_map, map);
  return Status::success();
}

}  // namespace

Status encode_im2col(void* tensor_map, const TensorRequest& request, const int* lower, const int* upper,
                     uint32_t channels, uint32_t pixels) {
  if (request.rank < 3) return invalid("im2col needs a rank of at least 3");
  if (!lower || !upper) return invalid("the corners of the pixel box are missing");
  const int reach = request.rank == 3 ? 1 << 15 : request.rank == 4 ? 1 << 7 : 1 << 4;
  return encode_pixels(tensor_map, request, TensorMode::Im2col, lower, upper, request.rank - 2, reach, channels,
                       pixels);
}

Status encode_im2col_wide(void* tensor_map, const TensorRequest& request, int lower, int upper, uint32_t channels,
                          uint32_t pixels, int mode) {
  if (request.rank < 3) return invalid("im2col needs a rank of at least 3");
  if (mode < 0 || mode > 1) return invalid("there is no wide mode {}", mode);
  // Of the swizzles only these are named in cuda.h; interleaved layouts are excluded by PTX ISA 5.5.6.
  const bool swizzled =
      swizzle_of(request.swizzle) >= TensorSwizzle::Bytes64 && atom_of(request.swizzle) <= SwizzleAtom::Bytes32;
  if (!swizzled)
    return invalid("the wide modes need a swizzle of 64 or 128 bytes, or of 128 by 32, not {}", request.swizzle);
  if (request.interleave != 0) return invalid("the wide modes have no interleaved layouts");
  if (mode == 0)
    return encode_pixels(tensor_map, request, TensorMode::Im2colW, &lower, &upper, 1, 1 << 15, channels, pixels);
  // pixelsPerColumn is ignored: there are always that many.
  return encode_pixels(tensor_map, request, TensorMode::Im2colW128, &lower, &upper, 1, 1 << 15, channels, kWidePixels);
}

Status Device::readdress_tensor_map(void* tensor_map, Address address) { return replace_address(tensor_map, address); }

Status replace_address(void* tensor_map, Address address) {
  TensorMap map;
  if (!tensor_map) return invalid("there is none");
  std::memcpy(&map, tensor_map, sizeof map);
  if (map.mark != TensorMap::kMark) return invalid("these bytes are none");
  if (address % 16 != 0) return invalid("globalAddress {:#x} is not aligned to 16 bytes", address);
  map.address = address;
  write(tensor_map, map);
  return Status::success();
}

std::string TensorMap::problem() const {
  if (mark != kMark) return "there is no tensor map: make one with cuTensorMapEncodeTiled";
  if (rank == 0 || rank > kMaxTensorRank || static_cast<unsigned>(type) >= std::size(kTypes))
    return "the tensor map has been overwritten";
  if (interleave != TensorInterleave::None) return "interleaved layouts are not executed yet";
  if (bytes_of(type) == 0) return "packed 4- and 6-bit elements are not executed yet";
  if (atom != SwizzleAtom::Bytes16 && swizzle != TensorSwizzle::Bytes128)
    return "a swizzle atomicity other than 16 bytes requires a swizzle of 128 bytes";
  if (address % 16 != 0) return fmt::format("the tensor's address {:#x} is not aligned to 16 bytes", address);
  return "";
}

}  // namespace warpwise::device
