// Puts bytes into memory that nothing has written yet: what the allocations of a submission and the shared memory of
// each block hold when they begin.
//
// Reading such memory is a mistake, and still harmless where no output depends on the value: a block at the end of an
// array adds up elements that are not there, and nothing reads its sum. The checkers see the read, not what becomes of
// it; but if the same trial gives the same bytes whatever such memory holds, its answer does not depend on it.
#pragma once

#include <cstdint>

#include "exec/observer.h"

namespace warpwise::lab {

// As floats: zero, 0.747, 3.4e38, -1.7e38, NaN; as integers: zero, positive, large, negative, -1. What takes the
// greater or the smaller of two numbers, or ignores NaNs, lets one of them through.
inline constexpr uint8_t kUnwrittenContents[] = {0xff, 0x7f, 0xfe, 0x3f, 0x00};

class UnwrittenContents : public exec::ObserverClient, public exec::MemoryObserver, public exec::LaunchObserver {
 public:
  explicit UnwrittenContents(uint8_t content) : content_(content) {}
  void allocated(const exec::Region& region) override;
  void launch_begins(const exec::KernelLaunch&) override {}
  void launch_ends(const exec::KernelLaunch&) override {}
  void block_begins(exec::BlockRun& run) override;

 private:
  const uint8_t content_;
};

}  // namespace warpwise::lab
