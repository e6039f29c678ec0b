// Blocks in SIMT mode that wait for each other: each whole block is a fiber, and yields when it waits.
//
// A host thread runs a block until it waits (Services::poll), then the next one, and comes back to those that wait in
// turn. Further blocks are begun only when all that are under way wait, up to what the device would hold (occupancy),
// so that a grid of thousands of blocks in which few wait costs no more than usual. A cooperative grid, whose blocks
// all wait for all, is begun as a whole at its first wait.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "exec/fibers/fiber.h"
#include "exec/launch/block_run.h"

namespace warpwise::exec {

// What a block needs to be under way; kept by the host thread from launch to launch.
struct SimtSlot {
  static constexpr size_t kStackBytes =
      size_t{16} << 20;  // frames of vectorised kernels are large; memory that is not accessed costs nothing
  explicit SimtSlot(Arena& arena) : memory(arena) {}
  BlockMemory memory;
  StackPool stack;
};

class SimtRunner {
 public:
  using Slots = std::vector<std::unique_ptr<SimtSlot>>;

  SimtRunner(LaunchRun& launch, KernelGuard& guard, Slots& slots, uint64_t resident_blocks);
  // Runs blocks until the launch has none left; under the guard.
  void run();
  // The block that was running when the guard was left.
  const BlockRun* current() const { return current_ ? &current_->run : nullptr; }
  // The guard was left while a block was running.
  void left() {
    if (current_) current_->fiber.left();
  }
  std::optional<Error> error() const { return error_; }

 private:
  struct Block {
    Block(LaunchRun& launch, KernelGuard& guard) : run(launch, guard) {}
    BlockRun run;
    Fiber fiber;
    bool prepared = false;
  };

  static void block_main(void* block);
  static void wait(BlockRun& run, void* fiber);
  bool admit();
  bool go_on(size_t block);  // false when it has ended

  LaunchRun& launch_;
  KernelGuard& guard_;
  Slots& slots_;
  const uint64_t resident_blocks_;
  std::vector<std::unique_ptr<Block>> blocks_;  // one per slot in use
  std::vector<size_t> idle_, running_;          // indices of blocks_
  Block* current_ = nullptr;
  std::optional<Error> error_;
};

}  // namespace warpwise::exec
