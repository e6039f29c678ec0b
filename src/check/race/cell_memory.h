// The memory of the race checker's cells (simt/instrument/race_cells.h): two planes beside the window of device memory,
// with a cell of the last writer and one of the last reader for each word, and cells for each byte of the words that
// are accessed in parts.
//
//     CellMemory::Cell cell = CellMemory::of_word(address);
//     if (cell.write == simt::kSplitCell) cells.of_bytes(address)[address % 4] ...
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "base/result.h"
#include "device/device.h"
#include "simt/abi.h"
#include "simt/instrument/race_cells.h"

namespace warpwise::check {

class CellMemory {
 public:
  // The cells of a word, or of a byte.
  struct Cell {
    uint32_t &write, &read;
    uint32_t* plain = nullptr;  // the plain write beneath the strong one in `write`
  };
  struct ByteCell {
    uint32_t write = 0, read = 0, plain = 0;
    Cell cell() { return {write, read, &plain}; }
  };
  using Word = std::array<ByteCell, 4>;

  CellMemory() = default;
  ~CellMemory();
  CellMemory(const CellMemory&) = delete;
  CellMemory& operator=(const CellMemory&) = delete;

  // Reserves the planes. Error: there is no room for them; the message says why.
  Result<void> map();
  bool is_mapped() const { return mapped_; }

  // The cells of the word around an address that has some (ShadowMemory::covers).
  static Cell of_word(device::Address address) {
    auto at = [&](uint64_t distance) -> uint32_t& {
      return *reinterpret_cast<uint32_t*>(cells_at(address / 4 * 4, distance));
    };
    return {at(simt::kWriteCellDistance), at(simt::kReadCellDistance)};
  }
  // The cells of its bytes: the word has a cell for each byte from here on.
  Word& of_bytes(device::Address address);
  // The cells of its bytes as they are, whether the word is split or not.
  Word bytes_at(device::Address address) const;
  // Gives a word one cell again, unless one of its bytes has a number of `first` or later.
  void merge(device::Address address, uint32_t first);

  // Whether some word has a cell for each of its bytes.
  bool has_split_words() const { return !split_.empty(); }

  // Nothing is known of these bytes any more. forget() is for ranges of any size, clear() for small ones that will be
  // used again at once and are in no word that is split.
  void forget(device::Address base, size_t bytes);
  static void clear(device::Address base, size_t bytes);
  void forget_all();

 private:
  static uint64_t cells_at(device::Address address, uint64_t distance) {
    return address + simt::kAliasOffset - distance;
  }

  bool mapped_ = false;
  std::unordered_map<device::Address, Word> split_;  // by address / 4
};

}  // namespace warpwise::check
