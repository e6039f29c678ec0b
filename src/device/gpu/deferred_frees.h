// Device memory that the program has freed in the order of a stream, and that the driver still has.
//
// The driver frees by waiting for all work (cuMemFree), and its own stream-ordered allocator takes back only what came
// from it. A program that frees with cudaFreeAsync must not wait: another of its streams may stand still until the
// program itself goes on. So the memory waits here for the event that was put behind its last use, and is given out
// again to an allocation of its size. What no allocation takes goes back to the driver when the GPU is idle anyway.
#pragma once

#include <map>
#include <mutex>
#include <vector>

#include "device/gpu/context.h"

namespace warpwise::device::gpu {

class DeferredFrees {
 public:
  explicit DeferredFrees(const Context& context) : context_(context) {}

  // `stream`: null for memory that nothing uses any more.
  Status add(const CUstream* stream, Address base, size_t bytes);
  // Memory of that size which nothing uses any more; 0: there is none.
  Address take(size_t bytes);
  // The GPU is idle: all of it goes back to the driver.
  Status give_back();
  // It has gone with the context.
  void forget() { blocks_.clear(); }

 private:
  struct Block {
    Address base;
    CUevent last_use;  // null: none
  };

  const Context& context_;
  std::mutex mutex_;
  std::map<size_t, std::vector<Block>> blocks_;  // by size
};

}  // namespace warpwise::device::gpu
