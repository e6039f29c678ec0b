// Tensor memory (PTX ISA 9.7.16.1), in which the tensor cores of sm_100 accumulate: 128 lanes by 512 columns of 32 bits
// for each block. An address is a lane in its upper half and a column in its lower one. A block allocates columns of
// it, 32 at least and a power of two, always with all their lanes.
//
//                 column 0   1   2   ...   511
//     lane 0             [ ] [ ] [ ]       [ ]      warp 0 of a warpgroup reaches lanes 0 to 31
//     lane 1             [ ] [ ] [ ]       [ ]
//     ...                                           warp 1 lanes 32 to 63, and so on
//     lane 127           [ ] [ ] [ ]       [ ]
//
// Hardware has one such memory for all blocks of an SM; here each block has its own, so that an allocation waits for
// its own block only. Cells that were never written read as zeros; while a program is checked they are recorded as
// uninitialised.
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
  // Bits above the lane are ignored: kernels for pairs add the block's rank there, which hardware accepts.
  constexpr explicit TensorAddress(uint32_t word) : lane(word >> 16 & 0x7f), column(word & 0xffff) {}
};

class TensorMemory {
 public:
  static constexpr uint32_t kLanes = 128, kColumns = 512, kUnit = 32;  // columns are allocated in units of kUnit

  const uint32_t& read(uint32_t lane, uint32_t column) const {
    if (!uninitialised_.empty()) note_read(lane, column);
    return words_[lane * kColumns + column];
  }
  uint32_t& write(uint32_t lane, uint32_t column) {
    if (!uninitialised_.empty()) uninitialised_[lane * kColumns + column] = false;
    return words_[lane * kColumns + column];
  }
  // Copies columns of a lane to another one, with their uninitialised state.
  void copy_lane(uint32_t to, uint32_t from, uint32_t column, uint32_t columns);

  bool is_free(uint32_t column, uint32_t columns) const;
  // Allocates columns; empty when there is no room.
  std::optional<uint32_t> room_for(uint32_t columns) const;
  void allocate(uint32_t column, uint32_t columns);
  // Frees an allocation; returns what is wrong with the request, or an empty text.
  std::string release(TensorAddress address, uint32_t columns);
  uint32_t allocated_columns() const;

  // Why these cells may not be accessed, or an empty text. `what` begins the sentence: "d".
  std::string check(const char* what, TensorAddress address, uint32_t lanes, uint32_t columns) const;

  // From now on it is recorded which cells have not been written since their columns were allocated, and reads are
  // counted.
  void watch() { uninitialised_.assign(words_.size(), true); }
  struct Reads {
    uint32_t cells = 0, blank = 0;
    TensorAddress first;  // of the uninitialised cells
  };
  Reads take_reads() { return std::exchange(reads_, {}); }  // since the last call

  // After tcgen05.relinquish_alloc_permit there are no allocations.
  bool permit_relinquished = false;

 private:
  void note_read(uint32_t lane, uint32_t column) const;

  std::vector<bool> uninitialised_;  // empty: not checked
  mutable Reads reads_;
  std::vector<uint32_t> words_ = std::vector<uint32_t>(kLanes * kColumns);
  struct Allocation {
    uint32_t column, columns;
  };
  std::vector<Allocation> allocations_;
};

// What is wrong with a request for so many columns; empty when nothing is.
std::string check_column_count(uint32_t columns);

}  // namespace warpwise::numerics
