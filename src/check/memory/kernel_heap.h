// What kernels have allocated with malloc() and not freed: C0113 if that stays so. May be called by any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "base/finding.h"
#include "device/device.h"
#include "exec/launch/block_run.h"

namespace warpwise::check {

class KernelHeap {
 public:
  void allocated(device::Address base, size_t bytes);
  // ... by the block's thread that runs, at the machine code `pc`.
  void allocated_by(const exec::BlockRun& run, device::Address base, uint64_t pc);
  // All that begins in a range is freed, or its memory is gone.
  void freed(device::Address base, size_t bytes);
  // The program ends.
  void report_leaks(FindingSink& sink);

 private:
  struct Allocation {
    size_t bytes = 0;
    Party by;
  };
  std::mutex mutex_;
  std::map<device::Address, Allocation> allocations_;
};

}  // namespace warpwise::check
