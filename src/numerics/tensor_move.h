// tcgen05.ld and tcgen05.st: which cell of tensor memory each register of a warp is (PTX ISA 9.7.16.2.3, 9.7.16.8).
// With t the thread's lane and r its register:
//
//     32x32b      lane t                         column r
//     16x64b      lane t / 4 + 8 (t % 2)         column t / 2 % 2 + 2r
//     16x128b     lane t / 4 + 8 (r % 2)         column t % 4 + 4 (r / 2)
//     16x256b     lane t / 4 + 8 (r / 2 % 2)     column 2 (t % 4) + r % 2 + 8 (r / 4)
//     16x32bx2    lane t % 16                    column r, of a second matrix for t of 16 and more
//
// counted from the address that all threads name. The figures of the manual are pictures; the formulas are those of
// CUTLASS's Copy_Traits (include/cute/atom/copy_traits_sm100.hpp). With .pack::16b a register holds the lower halves of
// two cells: column c above then means columns 2c and 2c + 1. A warp reaches the 32 lanes of its place in its warpgroup
// only.
#pragma once

#include <cstdint>
#include <string>

#include "numerics/tensor_memory.h"

namespace warpwise::numerics {

enum class MoveShape : uint8_t { S32x32b, S16x64b, S16x128b, S16x256b, S16x32bx2 };

struct TensorMove {
  MoveShape shape = MoveShape::S32x32b;
  uint8_t repeats = 1;  // .num
  bool halves = false;  // .pack::16b, .unpack::16b
  bool store = false;

  uint64_t pack() const;
  static TensorMove unpack(uint64_t packed);

  unsigned registers() const;  // of each thread
};

// Moves the data of one thread, whose registers are `words`; called for each thread of a warp in turn. `warp` counts
// within the block; `second` is the column of the second matrix of .16x32bx2. Returns why it cannot be done, or an
// empty text.
std::string move_tensor(const TensorMove& move, TensorMemory& memory, uint32_t warp, uint32_t thread, uint32_t address,
                        uint32_t second, uint32_t* words);

}  // namespace warpwise::numerics
