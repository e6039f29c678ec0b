// The blocks of the launch that runs, in the order in which they have begun. Serials count the blocks of the process,
// so a serial also says whether an access belongs to this launch.
//
//     blocks.begin_launch();
//     const Serial serial = blocks.begin_block(run.block);
//     blocks.block_of(serial)                                // run.block
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "check/race/race_clocks.h"

namespace warpwise::check {

class LaunchBlocks {
 public:
  void begin_launch() {
    first_ = last_ + 1;
    block_of_.clear();
  }
  // `block`: its linear index in the grid.
  Serial begin_block(uint64_t block) {
    block_of_.push_back(block);
    return ++last_;
  }
  // Nothing for a block of another launch.
  std::optional<uint64_t> block_of(Serial serial) const {
    const uint64_t index = static_cast<Serial>(serial - first_);
    return index < block_of_.size() ? std::optional(block_of_[index]) : std::nullopt;
  }
  Serial first() const { return first_; }
  size_t count() const { return block_of_.size(); }
  // Linear indices, by serial from first() on.
  const std::vector<uint64_t>& indices() const { return block_of_; }

 private:
  Serial last_ = 0, first_ = 1;
  std::vector<uint64_t> block_of_;
};

}  // namespace warpwise::check
