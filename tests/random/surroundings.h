// What a launch uses besides plain buffers: textures, surfaces, tensor maps and memory of several devices. The
// program's seed chooses all of it.
//
// The generator asks what they are, to write instructions that suit them; the code that runs the program makes them.
// Kernels get handles and maps as parameters of the names below, and a program that does not use a name gets nothing
// there.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/tensor_map.h"
#include "program.h"

namespace warpwise::random_programs {

// Textures of every geometry, over the inputs; surfaces of the first five, over a buffer of their own.
constexpr const char* kGeometries[] = {"1d", "2d", "3d", "a1d", "a2d", "cube", "acube"};
constexpr unsigned kTextures = 7, kSurfaces = 5;

struct TextureChoice {
  std::string words;       // as in test files (exec/interpreter/image_case.h)
  bool real = false;       // kernels read numbers of floating point
  bool is_signed = false;  // else these integers
  bool by_index = false;   // integer coordinates are allowed
};

// Surfaces have two rows, planes or layers of texels of 16 bytes; of each a column belongs to one thread.
constexpr unsigned kSurfaceTexel = 16;
std::string surface_words(const Shape& shape, unsigned geometry);
size_t surface_bytes(const Shape& shape);  // of one surface

struct TensorChoice {
  int type = 0;  // device::TensorType
  std::vector<uint64_t> sizes, strides;
  std::vector<uint32_t> box, steps;
  std::vector<int> lower, upper;  // im2col
  uint32_t channels = 0, pixels = 0;
  int swizzle = 0, fill = 0;  // CUtensorMapSwizzle, CUtensorMapFloatOOBfill
  int wide = -1;              // CUtensorMapIm2ColWideMode: im2col along W alone
  uint32_t halo = 0;          // its wHalo
  bool four_rows = false;     // a matrix whose box is a row: gather4 and scatter4 may use it

  unsigned rank() const { return static_cast<unsigned>(sizes.size()); }
  unsigned element_bytes() const { return device::bytes_of(static_cast<device::TensorType>(type)); }
  bool is_im2col() const { return pixels != 0; }
  unsigned rows() const;       // of a box
  unsigned box_bytes() const;  // in shared memory
  // Where the box goes there, and how much room is there.
  const char* staging() const { return wide == 1 ? "wide_staging" : "staging"; }
  unsigned staging_bytes() const { return wide == 1 ? kWideBoxBytes : kBoxBytes; }
  device::Status encode(void* map, device::Address address) const;
};

// Maps to load through lie over the inputs. Those to store through lie over the boxes, a slab for each block.
enum TensorUse { kLoadTiles, kLoadPixels, kStoreTiles, kStorePixels, kTensorUses };
constexpr const char* kTensorNames[] = {"tiles_in", "pixels_in", "tiles_out", "pixels_out"};

// Memory behind a multimem address: as many copies as devices, each with 16 bytes of every thread and the cells that
// all of them reduce.
constexpr unsigned kCommonBytes = 32;
inline size_t copy_bytes(const Shape& shape) { return shape.threads() * size_t{16} + kCommonBytes; }
inline unsigned copy_count(const Shape& shape) { return 1 + shape.seed % 3; }

struct Surroundings {
  std::array<TextureChoice, kTextures> textures;
  std::array<TensorChoice, kTensorUses> tensors;
};
Surroundings surroundings(const Shape& shape);

}  // namespace warpwise::random_programs
