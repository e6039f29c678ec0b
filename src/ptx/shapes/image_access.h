// What a texture or surface instruction does, apart from its registers (PTX ISA 9.7.10, 9.7.11).
//
// All of them take a handle and some 32-bit words, and give some 32-bit words; the rest is an ImageAccess, which packs
// into one word so that compiled code can hand it to the texture unit (src/texture). Words come in this order:
//
//     the layer, of .a1d, .a2d, .acube     one word
//     coordinates x y z                    as many as the geometry has; the first may be a byte offset (suld.b)
//     tex.level, txq.level                 the level
//     tex.grad                             d/dx of each coordinate, then d/dy
//     an offset of tex or tld4             as many as there are coordinates
//     sust, sured                          the data; a .b64 is two words
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpwise::ptx {

enum class ImageOperation : uint8_t {
  Sample,
  SampleLevel,
  SampleGrad,
  Gather,
  Query,
  Load,
  Store,
  StoreFormatted,
  Reduce,
  ReduceFormatted
};
enum class ImageGeometry : uint8_t { D1, D2, D3, A1, A2, Cube, ACube };
enum class ImageOutside : uint8_t { Trap, Clamp, Zero };  // what an access outside a surface does
enum class ImageQuery : uint8_t {
  Width,
  Height,
  Depth,
  ChannelDataType,
  ChannelOrder,
  NormalizedCoords,
  ArraySize,
  NumMipmapLevels,
  ForceUnnormalizedCoords,
  FilterMode,
  AddrMode0,
  AddrMode1,
  AddrMode2,
  MemoryLayout,
  NumSamples,
};
enum class ImageReduction : uint8_t { Add, Min, Max, And, Or };

constexpr unsigned kMostImageWords = 12;  // arguments
constexpr unsigned kMostImageResults = 4;

struct ImageAccess {
  ImageOperation operation = ImageOperation::Sample;
  ImageGeometry geometry = ImageGeometry::D1;
  bool integer = false;       // coordinates of textures are .s32
  bool half = false;          // results are halves: .f16, .f16x2
  bool is_signed = false;     // of a reduction
  bool leveled = false;       // a query about one level
  bool offset = false;        // a sample at an offset in texels from the coordinates
  uint8_t detail = 0;         // channel of tld4, ImageQuery, ImageOutside (3 bits) and ImageReduction (above)
  uint8_t element_bytes = 4;  // of a surface's data
  uint8_t elements = 4;       // 1, 2 or 4
  uint8_t words = 0, results = 0;

  unsigned coordinates() const;  // without the layer
  bool layered() const {
    return geometry == ImageGeometry::A1 || geometry == ImageGeometry::A2 || geometry == ImageGeometry::ACube;
  }
  ImageOutside outside() const { return static_cast<ImageOutside>(detail & 7); }
  ImageReduction reduction() const { return static_cast<ImageReduction>(detail >> 3); }
  ImageQuery query() const { return static_cast<ImageQuery>(detail); }

  uint64_t pack() const;
  static ImageAccess unpack(uint64_t code);
  bool operator==(const ImageAccess&) const = default;
};

// One register or constant of an instruction and the type it is read or written as.
struct ImageOperand {
  const Operand* operand;
  Type type;
};

// A decoded instruction. `inst` is a verified row of Unit::Texture and outlives the result.
struct ImageInstruction {
  ImageAccess access;
  const Operand* handle = nullptr;    // the address operand: its base is the handle
  std::vector<ImageOperand> words;    // a Type of 64 bits is two words
  std::vector<ImageOperand> results;  // of 16 bits: halves of tex, low halves of words; of 64: two words
  const Operand* resident = nullptr;  // d|p: always true here
};
ImageInstruction take_apart(const Instruction& inst);

// The offset of tex or tld4; null: none. A vector, or one number where there is one coordinate.
const Operand* image_offset(const Instruction& inst);

// How many coordinates the vector in [a, {...}] may have, and their types, for the verifier.
struct ImageVector {
  unsigned least, most;
};
ImageVector coordinate_vector(const Instruction& inst);

}  // namespace warpwise::ptx
