// What a block has done to memory that blocks share, so that it can be undone: compiled code then runs the block from
// its beginning (tiers/tiered_engine.h).
//
//     note(x, 4)   x = 5   note(x, 4)   x = 7       the log: x was 1
//     undo()                                        x is 1
//
// Only bytes that were noted come back, so that what others write beside them stays.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace warpwise::exec::interpreter {

class UndoLog {
 public:
  // These bytes may be about to change.
  void note(std::byte* at, size_t bytes) {
    const uint64_t first = reinterpret_cast<uint64_t>(at), end = first + bytes;
    for (uint64_t place = first; place < end;) {
      const uint64_t next = std::min(end, place / kLine * kLine + kLine);
      note_in_line(place, next - place);
      place = next;
    }
  }
  // Memory is what it was when the log was empty, which it is again.
  void undo() {
    for (const auto& [base, line] : lines_)
      for (uint64_t left = line.noted; left != 0; left &= left - 1) {
        const int k = std::countr_zero(left);
        reinterpret_cast<std::byte*>(base)[k] = line.before[static_cast<size_t>(k)];
      }
    clear();
  }
  void clear() { lines_.clear(); }

 private:
  static constexpr uint64_t kLine = 64;
  struct Line {
    uint64_t noted = 0;  // a bit for each byte
    std::array<std::byte, kLine> before;
  };

  void note_in_line(uint64_t place, uint64_t bytes) {
    const uint64_t offset = place % kLine, base = place - offset;
    Line& line = lines_[base];
    const uint64_t all = (bytes == kLine ? ~uint64_t{0} : (uint64_t{1} << bytes) - 1) << offset;
    for (uint64_t left = all & ~line.noted; left != 0; left &= left - 1) {
      const int k = std::countr_zero(left);
      line.before[static_cast<size_t>(k)] = reinterpret_cast<const std::byte*>(base)[k];
    }
    line.noted |= all;
  }

  std::unordered_map<uint64_t, Line> lines_;  // by the address of the first byte
};

}  // namespace warpwise::exec::interpreter
