// What blocks of a grid of one dimension share with blocks behind them that are not the next ones.
//
// Rows of an image are several blocks long, and a block that reads the rows above and below its own shares these with
// blocks so far away:
//
//     blocks of 256 pixels, rows of 2048:    block 20 reads a quarter of row 1 | row 2 | row 3
//                                            block 28                           row 2 | row 3 | row 4
//
// All blocks read the same pattern of sectors, each moved by as many as the one before it. So a block and the next one
// tell by how much, and the pattern of one block which others read the same: a sector of it that lies k moves behind
// another one is read again k blocks later.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace warpwise::perf {

// A part of a block's sectors, and after how many blocks they are read again.
struct Return {
  double blocks = 0, share = 0;
};

class RowReuse {
 public:
  // Different sectors, in order, of a block, of the next one, and of one `distance` blocks behind it.
  void add(const std::vector<uint64_t>& block, const std::vector<uint64_t>& next, const std::vector<uint64_t>& behind,
           uint64_t distance);
  // By distance. Nothing: blocks have no pattern, or share nothing.
  std::vector<Return> returns() const;

 private:
  uint64_t sectors_ = 0;
  std::map<uint64_t, uint64_t> returns_;  // sectors by distance in blocks
};

}  // namespace warpwise::perf
