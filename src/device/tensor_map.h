// Tensor maps: cuTensorMapEncode* makes them on the host and cp.async.bulk.tensor reads them on the device.
//
// CUDA calls the 128 bytes of a CUtensorMap opaque. This layout is private to this file; no other code may read the
// bytes. The host encodes (encode_tiled, encode_im2col, encode_im2col_wide, with every check of the driver),
// tensormap.replace changes fields in place, the engine decodes. Enumerators have CUDA's own numbers (CUDA Driver API,
// "Tensor Map Object Management").
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "device/device.h"

namespace warpwise::device {

enum class TensorType : uint8_t {
  U8,
  U16,
  U32,
  S32,
  U64,
  S64,
  F16,
  F32,
  F64,
  BF16,
  F32Ftz,
  TF32,
  TF32Ftz,
  U4x16Align8,
  U4x16Align16,
  U6x16Align16,
};
enum class TensorInterleave : uint8_t { None, Bytes16, Bytes32 };
enum class TensorSwizzle : uint8_t { None, Bytes32, Bytes64, Bytes128 };
// The unit that a swizzle of 128 bytes keeps together (PTX ISA 5.5.7, .swizzle_atomicity); all but the first require
// sm_100. CUtensorMapSwizzle numbers them after the spans.
enum class SwizzleAtom : uint8_t { Bytes16, Bytes32, Bytes32Flip8, Bytes64 };
constexpr int kSwizzles = 7;  // of CUtensorMapSwizzle
enum class TensorFill : uint8_t { Zeros, Nan };
// The traversal of the tensor by a copy: Im2colW and Im2colW128 are .im2col::w and .im2col::w::128.
enum class TensorMode : uint8_t { Tiled, Im2col, Im2colW, Im2colW128 };
constexpr bool is_im2col(TensorMode mode) { return mode != TensorMode::Tiled; }
constexpr bool is_wide(TensorMode mode) { return mode == TensorMode::Im2colW || mode == TensorMode::Im2colW128; }

constexpr unsigned kMaxTensorRank = 5;
constexpr uint32_t kWidePixels = 128;  // of .im2col::w::128

unsigned bytes_of(TensorType type);  // of an element; 0 for the packed ones
unsigned span_of(TensorSwizzle swizzle);
bool is_float(TensorType type);

struct TensorMap {
  static constexpr uint32_t kMark = 0x7a4d5457;

  uint32_t mark = kMark;  // distinguishes a tensor map from other bytes
  TensorType type = TensorType::U8;
  uint8_t rank = 1;
  TensorInterleave interleave = TensorInterleave::None;
  TensorSwizzle swizzle = TensorSwizzle::None;
  SwizzleAtom atom = SwizzleAtom::Bytes16;
  TensorFill fill = TensorFill::Zeros;
  TensorMode mode = TensorMode::Tiled;
  uint8_t promotion = 0;  // of the second-level cache: a hint
  uint8_t element_strides[kMaxTensorRank] = {1, 1, 1, 1, 1};
  Address address = 0;
  uint64_t strides[kMaxTensorRank - 1] = {};       // bytes, of dimensions 1 and up
  uint32_t last[kMaxTensorRank] = {};              // of each dimension: its size - 1
  uint16_t box[kMaxTensorRank] = {1, 1, 1, 1, 1};  // tiled
  // im2col: the corners of the box of base pixels, relative to the tensor's, along W, H and D; of the wide modes along
  // W alone.
  int16_t lower[3] = {}, upper[3] = {};
  uint16_t channels = 0, pixels = 0;

  uint64_t size(unsigned dimension) const { return uint64_t{last[dimension]} + 1; }
  // Why a copy cannot use it; empty when it can.
  std::string problem() const;
};

constexpr size_t kTensorMapBytes = 128;
static_assert(sizeof(TensorMap) <= kTensorMapBytes && std::is_trivially_copyable_v<TensorMap>);

// The arguments of the driver's functions, unchecked: numbers that need not be enumerators.
struct TensorRequest {
  int type = 0;
  uint32_t rank = 0;
  Address address = 0;
  const uint64_t* sizes = nullptr;    // rank of them
  const uint64_t* strides = nullptr;  // rank - 1, in bytes
  const uint32_t* element_strides = nullptr;
  int interleave = 0, swizzle = 0, promotion = 0, fill = 0;
};

// Failures: InvalidValue, with the violated rule; NotSupported for layouts that are not implemented.
Status encode_tiled(void* tensor_map, const TensorRequest& request, const uint32_t* box);
Status encode_im2col(void* tensor_map, const TensorRequest& request, const int* lower, const int* upper,
                     uint32_t channels, uint32_t pixels);
// cuTensorMapEncodeIm2colWide: for sm_100; `mode` is a CUtensorMapIm2ColWideMode.
Status encode_im2col_wide(void* tensor_map, const TensorRequest& request, int lower, int upper, uint32_t channels,
                          uint32_t pixels, int mode);
// Whether a request uses features of compute capability 10.0: other swizzle atoms, packed elements.
bool wants_sm_100(const TensorRequest& request);
// cuTensorMapReplaceAddress
Status replace_address(void* tensor_map, Address address);

}  // namespace warpwise::device
