// Tensor maps: what cuTensorMapEncode* makes on the host and cp.async.bulk.tensor reads on the device.
//
// CUDA calls the 128 bytes of a CUtensorMap opaque. These are ours; nothing else may look inside. The host encodes
// (encode_tiled, encode_im2col: with every check of the driver's), tensormap.replace changes fields in place, the
// engine decodes. Enumerators have CUDA's own numbers (CUDA Driver API, "Tensor Map Object Management").
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "device/device.h"

namespace warpwise::device {

enum class TensorType : uint8_t {
  U8, U16, U32, S32, U64, S64, F16, F32, F64, BF16, F32Ftz, TF32, TF32Ftz, U4x16Align8, U4x16Align16, U6x16Align16,
};
enum class TensorInterleave : uint8_t { None, Bytes16, Bytes32 };
// Atom32 and what follows belong to sm_100.
enum class TensorSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128, Atom32, Atom32Flip8, Atom64 };
enum class TensorFill : uint8_t { Zeros, Nan };

constexpr unsigned kMaxTensorRank = 5;

unsigned bytes_of(TensorType type);  // of an element; 0 for the packed ones
bool is_float(TensorType type);

struct TensorMap {
  static constexpr uint32_t kMark = 0x7a4d5457;

  uint32_t mark = kMark;  // tells a tensor map from other bytes
  TensorType type = TensorType::U8;
  uint8_t rank = 1;
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  TensorFill fill = TensorFill::Zeros;
  bool im2col = false;
  uint8_t promotion = 0;                         // of the second-level cache: a hint
  uint8_t element_strides[kMaxTensorRank] = {1, 1, 1, 1, 1};
  Address address = 0;
  uint64_t strides[kMaxTensorRank - 1] = {};     // bytes, of dimensions 1 and up
  uint32_t last[kMaxTensorRank] = {};            // of each dimension: its size - 1
  uint16_t box[kMaxTensorRank] = {1, 1, 1, 1, 1};  // tiled
  // im2col: the corners of the box of base pixels, relative to the tensor's, along W, H and D.
  int16_t lower[3] = {}, upper[3] = {};
  uint16_t channels = 0, pixels = 0;

  uint64_t size(unsigned dimension) const { return uint64_t{last[dimension]} + 1; }
  // Why a copy cannot use it; empty: it can.
  std::string problem() const;
};

constexpr size_t kTensorMapBytes = 128;
static_assert(sizeof(TensorMap) <= kTensorMapBytes && std::is_trivially_copyable_v<TensorMap>);

// What the driver is handed, as it came: numbers, not yet known to be enumerators.
struct TensorRequest {
  int type = 0;
  uint32_t rank = 0;
  Address address = 0;
  const uint64_t* sizes = nullptr;     // rank of them
  const uint64_t* strides = nullptr;   // rank - 1, in bytes
  const uint32_t* element_strides = nullptr;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

// Failures: InvalidValue, with the rule that is broken; NotSupported for layouts that are not executed yet.
Status encode_tiled(void* tensor_map, const TensorRequest& request, const uint32_t* box);
Status encode_im2col(void* tensor_map, const TensorRequest& request, const int* lower, const int* upper, uint32_t channels, uint32_t pixels);
// cuTensorMapReplaceAddress
Status replace_address(void* tensor_map, Address address);

}  // namespace warpwise::device
