#include "numerics/tcgen05_copy.h"

#include <fmt/format.h>

#include <cstring>

#include "numerics/matrix_descriptor.h"

namespace warpwise::numerics {
namespace {

constexpr uint32_t kChunk = 16, kWordsOfChunk = 4, kWarpLanes = 32;

uint32_t rows_of(CopyShape shape) {
  switch (shape) {
    case CopyShape::S128x256b:
    case CopyShape::S128x128b:
      return 128;
    case CopyShape::S64x128b_02_13:
    case CopyShape::S64x128b_01_23:
      return 64;
    case CopyShape::S32x128b:
      return 32;
    case CopyShape::S4x256b:
      return 4;
  }
  return 0;
}
uint32_t chunks_of(CopyShape shape) { return shape == CopyShape::S128x256b || shape == CopyShape::S4x256b ? 2 : 1; }

// The lanes that receive a row: the first one, the number of copies and their distance.
struct Targets {
  uint32_t first, copies, distance;
};
Targets targets_of(CopyShape shape, uint32_t row) {
  switch (shape) {
    case CopyShape::S64x128b_02_13:
      return {row, 2, 64};
    case CopyShape::S64x128b_01_23:
      return {row % kWarpLanes + row / kWarpLanes * 64, 2, kWarpLanes};
    case CopyShape::S32x128b:
      return {row, 4, kWarpLanes};
    case CopyShape::S4x256b:
      return {row * kWarpLanes, 1, 0};
    default:
      return {row, 1, 0};
  }
}

// 16 elements of `bits` bits as 16 bytes.
void decompress(unsigned bits, unsigned shift, uint8_t chunk[kChunk]) {
  uint64_t words[2];
  std::memcpy(words, chunk, sizeof words);
  const auto all = static_cast<unsigned __int128>(words[1]) << 64 | words[0];
  for (unsigned n = 0; n < kChunk; ++n)
    chunk[n] = static_cast<uint8_t>((static_cast<unsigned>(all >> (n * bits)) & ((1u << bits) - 1)) << shift);
}

}  // namespace

std::string copy_to_tensor_memory(const TensorCopyForm& form, uint32_t address, uint64_t descriptor,
                                  std::span<const Tcgen05Block> blocks) {
  const MatrixDescriptor from = MatrixDescriptor::of_tcgen05(descriptor);
  if (const char* why = from.problem()) return why;
  const TensorAddress to(address);
  const uint32_t rows = rows_of(form.shape), chunks = chunks_of(form.shape);
  const uint32_t most = form.shape == CopyShape::S4x256b ? kWarpLanes - 1 : 0;
  if (to.lane > most)
    return fmt::format("tcgen05.cp to lane {} of tensor memory, where this shape begins at lane {}", to.lane,
                       most == 0 ? "0" : "31 or before");
  for (const Tcgen05Block& block : blocks) {
    TensorAddress all = to;
    all.lane = 0;
    if (std::string why = block.memory->check("tcgen05.cp", all, TensorMemory::kLanes, chunks * kWordsOfChunk);
        !why.empty())
      return why;
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t c = 0; c < chunks; ++c) {
        const uint32_t at = from.place(false, row, c, kChunk);
        if (at + kChunk > block.shared_bytes)
          return "the matrix descriptor of tcgen05.cp reaches outside the block's shared memory";
        uint8_t chunk[kChunk];
        std::memcpy(chunk, block.shared + at, kChunk);
        if (form.format == CopyFormat::From6Bits) decompress(6, 0, chunk);
        if (form.format == CopyFormat::From4Bits) decompress(4, 2, chunk);
        uint32_t words[kWordsOfChunk];
        std::memcpy(words, chunk, kChunk);
        const Targets lanes = targets_of(form.shape, row);
        for (uint32_t copy = 0; copy < lanes.copies; ++copy)
          for (uint32_t n = 0; n < kWordsOfChunk; ++n)
            block.memory->write(to.lane + lanes.first + copy * lanes.distance, to.column + c * kWordsOfChunk + n) =
                words[n];
      }
  }
  return "";
}

std::string shift_tensor_memory(uint32_t address, std::span<const Tcgen05Block> blocks) {
  constexpr uint32_t kColumns = 8;
  const TensorAddress at(address);
  if (at.lane % kWarpLanes != 0)
    return fmt::format("tcgen05.shift from lane {} on: the lane is a multiple of 32", at.lane);
  for (const Tcgen05Block& block : blocks) {
    if (std::string why = block.memory->check("tcgen05.shift", at, kWarpLanes, kColumns); !why.empty()) return why;
    for (uint32_t lane = at.lane; lane + 1 < at.lane + kWarpLanes; ++lane)
      block.memory->copy_lane(lane, lane + 1, at.column, kColumns);
  }
  return "";
}

}  // namespace warpwise::numerics
