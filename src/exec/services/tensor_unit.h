// A block's tensor memory while the block runs, and what tcgen05 does to it: what both engines share. Each engine
// decides which threads an instruction needs, and when an asynchronous one happens.
//
// Allocations of a pair of blocks (.cta_group::2) are made when a warp of each has asked for the same number of
// columns: the first one waits, and the second one takes the columns for both.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "exec/engine.h"
#include "numerics/tcgen05.h"
#include "simt/abi.h"

namespace warpwise::exec {

struct TensorUnit {
  numerics::TensorMemory memory;
  uint32_t wanted = 0;              // columns that a warp of a pair waits for; 0: none
  std::optional<uint32_t> granted;  // where the other block has got them for both
  int64_t allocated_by = -1;        // the thread that has asked last, and where
  uint64_t allocated_at = 0;
};

// A block as these functions see it. Its unit is made at first use.
struct TensorBlock {
  std::unique_ptr<TensorUnit>* unit = nullptr;
  const std::byte* shared = nullptr;
  uint32_t shared_bytes = 0;

  TensorUnit& get() const {
    if (!*unit) *unit = std::make_unique<TensorUnit>();
    return **unit;
  }
};

struct TensorGrant {
  std::optional<uint32_t> address;  // of the columns; nothing: wait for others, and ask again
  std::string error;                // a mistake of the program
};

// tcgen05.alloc. `peer` is null without .cta_group::2.
TensorGrant allocate_columns(const TensorBlock& own, const TensorBlock* peer, uint32_t columns);
// tcgen05.dealloc; what is wrong, or nothing. Each block of a pair gives back its own columns, whenever it comes.
std::string release_columns(const TensorBlock& own, uint32_t address, uint32_t columns);

// mma, cp and shift (simt/abi.h lists the words). `blocks`: this one, or both of a pair, the even one first. What is
// wrong, or nothing.
std::string run_tensor_op(const Machine& machine, simt::TensorOp op, const uint64_t* words,
                          std::span<const TensorBlock> blocks, bool plain);
// How many blocks such an operation is for.
uint32_t blocks_of(simt::TensorOp op, const uint64_t* words);

}  // namespace warpwise::exec
