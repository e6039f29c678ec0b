// Bulk copies: what cp.async.bulk and cp.async.bulk.tensor move, and where to (PTX ISA 9.7.9.25.4, 9.7.9.27).
// The engines decide when they do, and which mbarriers or threads learn of it. A box of a tensor lies in shared memory
// row by row: which rows, and where, is in box_rows.h.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "device/tensor_map.h"
#include "exec/memory/arena.h"
#include "simt/abi.h"

namespace warpwise::exec {

static_assert(simt::kTensorMapBytes == device::kTensorMapBytes && simt::kMaxCoordinates == device::kMaxTensorRank);

struct BulkFault {
  device::Failure failure;
  std::string what;
  device::Address address;
};

// Moves `bytes` from one place to the other, or combines them there. Addresses are generic. `mask`: of each 16 bytes
// those whose bits are set; plain copies only.
constexpr uint16_t kAllBytes = 0xffff;
std::optional<BulkFault> copy_bulk(const Arena& arena, simt::BulkOp op, simt::BulkType type, device::Address to,
                                   device::Address from, uint32_t bytes, uint16_t mask = kAllBytes);
// Calls visit(first, bytes) for the pieces of `bytes` bytes that a mask lets through.
void for_each_masked_piece(uint32_t bytes, uint16_t mask,
                           const std::function<void(uint32_t first, uint32_t bytes)>& visit);

// A multicast copy goes to the blocks of a mask by rank, and completes on an mbarrier of each. With .cta_group::2 it
// completes on an mbarrier of one block of each pair, for both: the even or the odd one, as the block whose mbarrier
// the operand names (9.7.9.27.5.2).
constexpr uint32_t kMostBlocksOfMask = 16;
constexpr uint32_t completing_rank(bool pairs, uint32_t rank, uint32_t mbarrier_rank) {
  return pairs ? (rank & ~1u) | (mbarrier_rank & 1) : rank;
}

struct TensorCopy {
  device::TensorMap map;
  int32_t start[device::kMaxTensorRank] = {};  // coordinates of the box's first element
  bool four_rows = false;  // gather4 and scatter4 (5.5.3.4): the box is `rows` of a matrix, from column start[0]
  int32_t rows[4] = {};
  uint16_t offsets[3] = {};              // im2col: of the pixels that are read, along W, H and D
  uint16_t halo = 0;                     // of the wide modes: how many more pixels, behind all or behind each 32
  bool store = false;                    // from shared memory
  simt::BulkOp op = simt::BulkOp::Copy;  // stores only
};

// Bytes of the box, by which the mbarrier counts. And how far it reaches in shared memory.
uint32_t box_bytes(const TensorCopy& copy);
uint32_t box_extent(const TensorCopy& copy);

// `shared`: the generic address of the box; `offset`: its place in its block's shared memory, which decides the
// swizzle.
std::optional<BulkFault> copy_tensor(const Arena& arena, const TensorCopy& copy, device::Address shared,
                                     uint32_t offset);

// The pieces of global memory that the copy reads or writes: of each row of the box what lies within the tensor.
void for_each_row(const TensorCopy& copy, const std::function<void(device::Address, size_t bytes)>& visit);

// The coordinates of an instruction: of the first element, or a column and four rows, which need a box of one row.
std::optional<BulkFault> set_coordinates(TensorCopy& copy, bool four_rows, const int32_t* coordinates, unsigned count);

// The numbers behind an im2col instruction's operands: offsets along W, H and D or, in the wide modes, wHalo and
// wOffset. The map has been read.
std::optional<BulkFault> set_offsets(TensorCopy& copy, const uint16_t (&offsets)[3]);

// Reads a tensor map from device memory; it must be one of so many dimensions and for such copies.
std::optional<BulkFault> read_tensor_map(const Arena& arena, device::Address address, unsigned rank,
                                         device::TensorMode mode, device::TensorMap& out);

// tensormap.replace: `field` of the map at `address` becomes `value`.
std::optional<BulkFault> replace_field(const Arena& arena, device::Address address, simt::TensorField field,
                                       uint32_t index, uint64_t value);

}  // namespace warpwise::exec
