// Blocks in the interpreter one at a time, for a launch that compiled code takes over between two of them.
//
// A block may be left before its end: then it has done nothing. It runs in the order that compiled code has: warp after
// warp, each until it waits; lanes in lockstep. Which kernels may run like this is for tiers/begins_interpreted.h to
// say.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/result.h"
#include "exec/engine.h"

namespace warpwise::exec {

class SingleBlocks {
 public:
  // Both must outlive it. Error R0101: no room for the parameters.
  static Result<std::unique_ptr<SingleBlocks>> begin(const Machine& machine, const KernelLaunch& launch);
  virtual ~SingleBlocks() = default;

  enum class End {
    Done,
    Left,    // must_leave() said so: memory is what it was before the block
    Failed,  // so it is where the kernel made a mistake, or there was no memory for the block
  };
  // Runs the block at a place in the schedule's order. must_leave() is asked now and then.
  virtual End run(uint64_t place, const std::function<bool()>& must_leave) = 0;
};

}  // namespace warpwise::exec
