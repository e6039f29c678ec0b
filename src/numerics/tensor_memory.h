// Tensor memory (PTX ISA 9.7.16.1): what the tensor cores of sm_100 accumulate in, 128 lanes by 512 columns of 32 bits
// for each block. An address is a lane in its upper half and a column in its lower one. A block gets columns of it, 32
// at least and a power of two, always with all their lanes.
//
//                 column 0   1   2   ...   511
//     lane 0             [ ] [ ] [ ]       [ ]      warp 0 of a warpgroup reaches lanes 0 to 31
//     lane 1             [ ] [ ] [ ]       [ ]
//     ...                                           warp 1 lanes 32 to 63, and so on
//     lane 127           [ ] [ ] [ ]       [ ]
//
// Hardware has one such memory for all blocks that an SM runs; here each block has one to itself, so that an allocation
// waits for its own block only. What was never written reads as zeros; where somebody watches, it is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpwise::numerics {

struct TensorAddress {
  uint32_t lane = 0, column = 0;

  constexpr TensorAddress() = default;
  // Bits above those of a lane are not looked at: kernels for pairs add the block's rank there and run on hardware so.
  constexpr explicit TensorAddress(uint32_t word) : lane(word >> 16 & 0x7f), column(word & 0xffff) {}
};

class TensorMemory {
 public:
  static constexpr uint32_t kLanes = 128, kColumns = 512, kUnit = 32;  // columns are given out in such units

  const uint32_t& read(uint32_t lane, uint32_t column) const {
    if (!blank_.empty()) note_read(lane, column);
    return words_[lane * kColumns + column];
  }
  uint32_t& write(uint32_t lane, uint32_t column) {
    if (!blank_.empty()) blank_[lane * kColumns + column] = false;
    return words_[lane * kColumns + column];
  }
  // Columns of a lane become those of another one, whether anybody has written those or not.
  void copy_lane(uint32_t to, uint32_t from, uint32_t column, uint32_t columns);

  bool is_free(uint32_t column, uint32_t columns) const;
  // Where so many columns are free, or nothing; and takes them.
  std::optional<uint32_t> room_for(uint32_t columns) const;
  void allocate(uint32_t column, uint32_t columns);
  // What is wrong with giving an allocation back; empty: nothing, and it is free.
  std::string release(TensorAddress address, uint32_t columns);
  uint32_t allocated_columns() const;

  // Why these cells may not be reached, or an empty text. `what` begins the sentence: "d".
  std::string check(const char* what, TensorAddress address, uint32_t lanes, uint32_t columns) const;

  // From now on it is known which cells nobody has written since their columns were allocated, and what is read is
  // counted.
  void watch() { blank_.assign(words_.size(), true); }
  struct Reads {
    uint32_t cells = 0, blank = 0;
    TensorAddress first;  // of the blank ones
  };
  Reads take_reads() { return std::exchange(reads_, {}); }  // since the last call

  // After tcgen05.relinquish_alloc_permit there are no allocations.
  bool permit_relinquished = false;

 private:
  void note_read(uint32_t lane, uint32_t column) const;

  std::vector<bool> blank_;  // empty: nobody watches
  mutable Reads reads_;
  std::vector<uint32_t> words_ = std::vector<uint32_t>(kLanes * kColumns);
  struct Allocation {
    uint32_t column, columns;
  };
  std::vector<Allocation> allocations_;
};

// What is wrong with asking for so many columns; empty: nothing.
std::string check_column_count(uint32_t columns);

}  // namespace warpwise::numerics
